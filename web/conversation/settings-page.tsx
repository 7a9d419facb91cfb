import type { RepoSettings as StoredSettings } from "../../src/repos/types.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, type FormState, RadioField, SelectField, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { conversationWords } from "./words/index.ts";

/** Where a repository's issues are kept. */
export const trackers = ["here", "elsewhere", "off"] as const;
export type Tracker = (typeof trackers)[number];

export const trackerStyles = ["numeric", "alphanumeric", "regexp"] as const;

export type TrackerField = "tracker_url" | "tracker_format" | "tracker_pattern";

export interface IssueSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly tracker: Tracker;
  readonly internal: Required<NonNullable<StoredSettings["internalTracker"]>>;
  readonly closesFromAnyBranch: boolean;
  readonly style: string;
  readonly form: FormState<TrackerField>;
}

/** `GET/POST {W}/settings/issues`: where issues are kept, and how they behave. */
export function IssueSettingsPage(props: IssueSettingsProps) {
  const { closesFromAnyBranch, form, internal, repo, shell, style, tracker } = props;
  const { errors, values } = form;
  const t = useWords(conversationWords);
  return (
    <RepoSettings shell={shell} repo={repo} section="issues" title={t("issues")}>
      <form class="form" method="post" action={repoHref(repo, "settings/issues")}>
        <Card title={t("tracker")}>
          <RadioField
            name="tracker"
            label={t("tracker")}
            value={tracker}
            choices={trackers.map((value) => ({
              value,
              label: t(`tracker-${value}`),
              hint: t(`tracker-${value}-hint`),
            }))}
          />
        </Card>
        <Card title={t("tracker-here")}>
          <CheckField name="time_tracker" label={t("timeTracker")} checked={internal.enableTimeTracker} />
          <CheckField
            name="only_contributors"
            label={t("onlyContributors")}
            checked={internal.allowOnlyContributorsToTrackTime}
          />
          <CheckField name="dependencies" label={t("dependenciesOn")} checked={internal.enableIssueDependencies} />
          <CheckField
            name="close_from_any_branch"
            label={t("closesFromAnyBranch")}
            hint={t("closesFromAnyBranchHint")}
            checked={closesFromAnyBranch}
          />
        </Card>
        <Card title={t("tracker-elsewhere")}>
          <TextField
            name="tracker_url"
            type="url"
            label={t("trackerUrl")}
            value={values?.tracker_url}
            error={errors?.tracker_url}
            maxLength={2048}
          />
          <TextField
            name="tracker_format"
            label={t("trackerFormat")}
            hint={t("trackerFormatHint", { user: "{user}", repo: "{repo}", index: "{index}" })}
            value={values?.tracker_format}
            error={errors?.tracker_format}
            maxLength={2048}
            code
          />
          <SelectField
            name="tracker_style"
            label={t("trackerStyle")}
            value={style}
            choices={trackerStyles.map((value) => ({ value, label: t(`trackerStyle-${value}`) }))}
          />
          <TextField
            name="tracker_pattern"
            label={t("trackerPattern")}
            hint={t("trackerPatternHint")}
            value={values?.tracker_pattern}
            error={errors?.tracker_pattern}
            maxLength={1024}
            code
          />
        </Card>
        <FormActions form="issues" flash={shell.flash}>
          <SubmitButton kind="primary">{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </RepoSettings>
  );
}
