import { type MergeStyle, mergeStyles, settingOf } from "../../src/pulls/merge/types.ts";
import type { MergeSettings } from "../../src/repos/settings/defaults.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, SelectField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { pullWords } from "../pulls/words/index.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { mergingWords } from "./words/index.ts";

export interface PullSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly isOn: boolean;
  readonly settings: MergeSettings;
  readonly errors?: FormErrors | undefined;
}

/** The settings shown as checkboxes, with their labels' keys. */
export const tickedSettings = [
  "allowMergeUpdate",
  "allowRebaseUpdate",
  "autodetectManualMerge",
  "defaultDeleteBranchAfterMerge",
  "defaultAllowMaintainerEdit",
  "ignoreWhitespaceConflicts",
] as const satisfies readonly (keyof MergeSettings)[];

/** `GET/POST {W}/settings/pulls`: whether pull requests are enabled, and how they are merged. */
export function PullSettingsPage({ errors, isOn, repo, settings, shell }: PullSettingsProps) {
  const t = useWords(mergingWords);
  const style = useWords(pullWords);
  const ticked = (name: (typeof tickedSettings)[number]) => (
    <CheckField name={name} label={t(name)} checked={settings[name]} />
  );
  const choices = (values: readonly MergeStyle[]) => values.map((value) => ({ value, label: style(`style-${value}`) }));
  return (
    <RepoSettings shell={shell} repo={repo} section="pulls" title={t("pullRequests")}>
      <ErrorSummary errors={errors} />
      <form class="stack" method="post" action={repoHref(repo, "settings/pulls")}>
        <Card title={t("pullRequests")}>
          <CheckField name="has_pull_requests" label={t("hasPulls")} hint={t("hasPullsHint")} checked={isOn} />
        </Card>
        <Card title={t("methods")}>
          {mergeStyles.map((each) => (
            <CheckField
              name={settingOf[each]}
              label={style(`style-${each}`)}
              checked={settings[settingOf[each]] === true}
            />
          ))}
          <SelectField
            name="defaultMergeStyle"
            label={t("usualMethod")}
            value={settings.defaultMergeStyle}
            choices={choices(mergeStyles)}
          />
          {ticked("autodetectManualMerge")}
          {ticked("ignoreWhitespaceConflicts")}
        </Card>
        <Card title={t("branches")}>
          {ticked("allowMergeUpdate")}
          {ticked("allowRebaseUpdate")}
          <SelectField
            name="defaultUpdateStyle"
            label={t("usualUpdate")}
            value={settings.defaultUpdateStyle}
            choices={[
              { value: "merge", label: style("updateMerge") },
              { value: "rebase", label: style("updateRebase") },
            ]}
          />
          {ticked("defaultDeleteBranchAfterMerge")}
          {ticked("defaultAllowMaintainerEdit")}
        </Card>
        <FormActions form="pulls" flash={shell.flash}>
          <SubmitButton kind="primary">{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </RepoSettings>
  );
}
