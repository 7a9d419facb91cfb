import { AvatarCard, type AvatarCardProps } from "../avatars/card.tsx";
import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormState,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { DangerZone } from "./danger-zone.tsx";
import { RepoSettings } from "./settings-frame.tsx";

export interface RepoGeneralProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly form: FormState<"repo_name" | "description" | "website">;
  readonly isTemplate: boolean;
  readonly picture: AvatarCardProps;
  /** Only an owner deletes. */
  readonly isOwner: boolean;
}

/** `GET/POST {W}/settings`: name and description, then what is dangerous. */
export function RepoGeneralSettingsPage({ shell, repo, form, isTemplate, picture, isOwner }: RepoGeneralProps) {
  const action = repoHref(repo, "settings");
  const { values, errors } = form;
  return (
    <RepoSettings shell={shell} repo={repo} section="general" title="General">
      <ErrorSummary errors={errors} labels={{ repo_name: "Name", description: "Description", website: "Website" }} />
      <Card title="Repository">
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="update" />
          <TextField
            name="repo_name"
            label="Name"
            value={values?.repo_name ?? repo.name}
            error={errors?.repo_name}
            hint="The old address redirects to the new one until someone else takes the name."
            maxLength={100}
            required
            code
          />
          <TextArea
            name="description"
            label="Description"
            value={values?.description ?? repo.description}
            error={errors?.description}
            rows={2}
            maxLength={2048}
          />
          <TextField
            name="website"
            label="Website"
            type="url"
            value={values?.website}
            error={errors?.website}
            maxLength={1024}
          />
          <CheckField
            name="template"
            label="Template repository"
            hint="New repositories can start with its files."
            checked={isTemplate}
          />
          <FormActions form="general" flash={shell.flash}>
            <SubmitButton kind="primary">Save</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <AvatarCard {...picture} />
      <DangerZone repo={repo} isOwner={isOwner} />
    </RepoSettings>
  );
}

export interface RepoBranchSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly branches: readonly string[];
  readonly form: FormState<"branch">;
}

/** `GET/POST {W}/settings/branches`: the default branch. */
export function RepoBranchSettingsPage({ shell, repo, branches, form }: RepoBranchSettingsProps) {
  return (
    <RepoSettings shell={shell} repo={repo} section="branches" title="Branches">
      <Card title="Default branch">
        <form class="form" method="post" action={repoHref(repo, "settings/branches")}>
          <input type="hidden" name="action" value="default_branch" />
          <SelectField
            name="branch"
            label="Default branch"
            hint="What visitors and clones see first."
            choices={branches.map((name) => ({ value: name, label: name }))}
            value={form.values?.branch ?? repo.defaultBranch}
            error={form.errors?.branch}
          />
          <FormActions form="default-branch" flash={shell.flash}>
            <SubmitButton kind="primary">Save</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
