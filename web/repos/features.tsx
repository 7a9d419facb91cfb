import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  RadioField,
  SelectField,
  TextField,
} from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "./settings-frame.tsx";
import { reposWords } from "./words/index.ts";

/** What the form of features holds, by the names clients know its fields by. */
export interface FeatureValues {
  readonly text: (name: TextFeature) => string;
  readonly isOn: (name: Feature) => boolean;
}

export const featureNames = [
  "enable_issues",
  "enable_timetracker",
  "allow_only_contributors_to_track_time",
  "enable_issue_dependencies",
  "enable_close_issues_via_commit_in_any_branch",
  "enable_pulls",
  "pulls_ignore_whitespace",
  "pulls_allow_merge",
  "pulls_allow_rebase",
  "pulls_allow_rebase_merge",
  "pulls_allow_squash",
  "pulls_allow_fast_forward_only",
  "pulls_allow_manual_merge",
  "enable_autodetect_manual_merge",
  "pulls_allow_merge_update",
  "pulls_allow_rebase_update",
  "default_delete_branch_after_merge",
  "default_allow_maintainer_edit",
  "enable_wiki",
  "globally_writeable_wiki",
  "enable_projects",
  "enable_releases",
  "enable_packages",
  "enable_actions",
] as const;
export type Feature = (typeof featureNames)[number];

export type TextFeature =
  | "enable_external_tracker"
  | "external_tracker_url"
  | "tracker_url_format"
  | "tracker_issue_style"
  | "external_tracker_regexp_pattern"
  | "enable_external_wiki"
  | "external_wiki_url"
  | "projects_mode"
  | "pulls_default_merge_style"
  | "default_update_style";

const mergeStyles = ["merge", "rebase", "rebase-merge", "squash", "fast-forward-only"] as const;

const trackerStyles = ["numeric", "alphanumeric", "regexp"] as const;

export interface FeaturesProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly values: FeatureValues;
  readonly errors: FormErrors<TextFeature> | undefined;
}

/** `GET {W}/settings/features`: what the repository has, and how it behaves. */
export function FeaturesPage({ errors, repo, shell, values }: FeaturesProps) {
  const t = useWords(reposWords);
  const part = { values, errors };
  const labels = {
    external_tracker_url: t("trackerUrl"),
    tracker_url_format: t("trackerFormat"),
    external_tracker_regexp_pattern: t("trackerPattern"),
    external_wiki_url: t("wikiUrl"),
  };
  return (
    <RepoSettings shell={shell} repo={repo} section="features" title={t("features")}>
      <ErrorSummary errors={errors} labels={labels} />
      <form class="form" method="post" action={repoHref(repo, "settings")}>
        <input type="hidden" name="action" value="advanced" />
        <IssueFeatures {...part} />
        <PullFeatures {...part} />
        <WikiFeatures {...part} />
        <OtherFeatures {...part} />
        <FormActions form="features" flash={shell.flash}>
          <SubmitButton kind="primary">{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </RepoSettings>
  );
}

type PartProps = Pick<FeaturesProps, "errors" | "values">;

function Check({ name, values }: { name: Feature } & Pick<PartProps, "values">) {
  const t = useWords(reposWords);
  return <CheckField name={name} label={t(`feature-${name}`)} checked={values.isOn(name)} />;
}

function IssueFeatures({ errors, values }: PartProps) {
  const t = useWords(reposWords);
  return (
    <Card title={t("issues")}>
      <Check name="enable_issues" values={values} />
      <RadioField
        name="enable_external_tracker"
        label={t("issuesWhere")}
        value={values.text("enable_external_tracker")}
        choices={[
          { value: "false", label: t("here") },
          { value: "true", label: t("elsewhere"), hint: t("trackerHint") },
        ]}
      />
      <Check name="enable_timetracker" values={values} />
      <Check name="allow_only_contributors_to_track_time" values={values} />
      <Check name="enable_issue_dependencies" values={values} />
      <Check name="enable_close_issues_via_commit_in_any_branch" values={values} />
      <TextField
        name="external_tracker_url"
        type="url"
        label={t("trackerUrl")}
        value={values.text("external_tracker_url")}
        error={errors?.external_tracker_url}
      />
      <TextField
        name="tracker_url_format"
        label={t("trackerFormat")}
        hint={t("trackerFormatHint", { example: "https://tracker.example/{user}/{repo}/{index}" })}
        value={values.text("tracker_url_format")}
        error={errors?.tracker_url_format}
        code
      />
      <SelectField
        name="tracker_issue_style"
        label={t("trackerStyle")}
        value={values.text("tracker_issue_style")}
        choices={trackerStyles.map((value) => ({ value, label: t(`trackerStyle-${value}`) }))}
      />
      <TextField
        name="external_tracker_regexp_pattern"
        label={t("trackerPattern")}
        value={values.text("external_tracker_regexp_pattern")}
        error={errors?.external_tracker_regexp_pattern}
        code
      />
    </Card>
  );
}

function PullFeatures({ values }: PartProps) {
  const t = useWords(reposWords);
  return (
    <Card title={t("pullRequests")}>
      <Check name="enable_pulls" values={values} />
      <fieldset class="field">
        <legend>{t("mergeStyles")}</legend>
        <Check name="pulls_allow_merge" values={values} />
        <Check name="pulls_allow_rebase" values={values} />
        <Check name="pulls_allow_rebase_merge" values={values} />
        <Check name="pulls_allow_squash" values={values} />
        <Check name="pulls_allow_fast_forward_only" values={values} />
        <Check name="pulls_allow_manual_merge" values={values} />
        <Check name="enable_autodetect_manual_merge" values={values} />
      </fieldset>
      <SelectField
        name="pulls_default_merge_style"
        label={t("defaultMergeStyle")}
        value={values.text("pulls_default_merge_style")}
        choices={mergeStyles.map((value) => ({ value, label: t(`mergeStyle-${value}`) }))}
      />
      <fieldset class="field">
        <legend>{t("updateStyles")}</legend>
        <Check name="pulls_allow_merge_update" values={values} />
        <Check name="pulls_allow_rebase_update" values={values} />
      </fieldset>
      <SelectField
        name="default_update_style"
        label={t("defaultUpdateStyle")}
        value={values.text("default_update_style")}
        choices={(["merge", "rebase"] as const).map((value) => ({ value, label: t(`mergeStyle-${value}`) }))}
      />
      <Check name="pulls_ignore_whitespace" values={values} />
      <Check name="default_delete_branch_after_merge" values={values} />
      <Check name="default_allow_maintainer_edit" values={values} />
    </Card>
  );
}

function WikiFeatures({ errors, values }: PartProps) {
  const t = useWords(reposWords);
  return (
    <Card title={t("wiki")}>
      <Check name="enable_wiki" values={values} />
      <RadioField
        name="enable_external_wiki"
        label={t("wikiWhere")}
        value={values.text("enable_external_wiki")}
        choices={[
          { value: "false", label: t("here") },
          { value: "true", label: t("elsewhere") },
        ]}
      />
      <Check name="globally_writeable_wiki" values={values} />
      <TextField
        name="external_wiki_url"
        type="url"
        label={t("wikiUrl")}
        value={values.text("external_wiki_url")}
        error={errors?.external_wiki_url}
      />
    </Card>
  );
}

function OtherFeatures({ values }: PartProps) {
  const t = useWords(reposWords);
  return (
    <Card title={t("otherFeatures")}>
      <Check name="enable_projects" values={values} />
      <SelectField
        name="projects_mode"
        label={t("projectsMode")}
        value={values.text("projects_mode")}
        choices={(["all", "repo", "owner"] as const).map((value) => ({ value, label: t(`projectsMode-${value}`) }))}
      />
      <Check name="enable_releases" values={values} />
      <Check name="enable_packages" values={values} />
      <Check name="enable_actions" values={values} />
    </Card>
  );
}
