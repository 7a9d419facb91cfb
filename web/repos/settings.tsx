import { type TrustModel, trustModels } from "../../src/repos/types.ts";
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
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { DangerZone } from "./danger-zone.tsx";
import { FeaturesCard, type FeaturesProps } from "./features.tsx";
import { RepoSettings } from "./settings-frame.tsx";
import { reposWords } from "./words/index.ts";

export interface RepoGeneralProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly form: FormState<"repo_name" | "description" | "website">;
  readonly isTemplate: boolean;
  readonly picture: AvatarCardProps;
  readonly trustModel: TrustModel | "default";
  /** Only an owner may delete it. */
  readonly isOwner: boolean;
  readonly isFork: boolean;
  readonly features: Omit<FeaturesProps, "action">;
  /** There is a stored wiki that can be deleted. */
  readonly hasWiki: boolean;
  /** Days in which it can be restored after deletion. */
  readonly binDays: number;
  /** Who has to accept a pending transfer. */
  readonly offeredTo?: string | undefined;
}

/** `GET/POST {W}/settings`: name and description, then the danger zone. */
export function RepoGeneralSettingsPage({
  shell,
  repo,
  form,
  isTemplate,
  picture,
  trustModel,
  features,
  isOwner,
  isFork,
  hasWiki,
  offeredTo,
  binDays,
}: RepoGeneralProps) {
  const action = repoHref(repo, "settings");
  const { values, errors } = form;
  const t = useWords(reposWords);
  const labels = { repo_name: t("name"), description: t("description"), website: t("website") };
  return (
    <RepoSettings shell={shell} repo={repo} section="general" title={t("general")}>
      <ErrorSummary errors={errors} labels={labels} />
      <Card title={t("repository")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="update" />
          <TextField
            name="repo_name"
            label={labels.repo_name}
            value={values?.repo_name ?? repo.name}
            error={errors?.repo_name}
            hint={t("renameHint")}
            maxLength={100}
            required
            code
          />
          <TextArea
            name="description"
            label={labels.description}
            value={values?.description ?? repo.description}
            error={errors?.description}
            rows={2}
            maxLength={2048}
          />
          <TextField
            name="website"
            label={labels.website}
            type="url"
            value={values?.website}
            error={errors?.website}
            maxLength={1024}
          />
          <CheckField name="template" label={t("templateRepository")} hint={t("templateHint")} checked={isTemplate} />
          <FormActions form="general" flash={shell.flash}>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <FeaturesCard action={action} flash={shell.flash} {...features} />
      <Card title={t("signatures")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="signing" />
          <SelectField
            name="trust_model"
            label={t("trustModel")}
            hint={t("trustModelHint")}
            value={trustModel}
            choices={["default" as const, ...trustModels].map((value) => ({ value, label: t(`trustModel-${value}`) }))}
          />
          <FormActions form="signatures" flash={shell.flash}>
            <SubmitButton>{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <AvatarCard {...picture} />
      <DangerZone
        repo={repo}
        isOwner={isOwner}
        isFork={isFork}
        hasWiki={hasWiki}
        offeredTo={offeredTo}
        binDays={binDays}
      />
    </RepoSettings>
  );
}
