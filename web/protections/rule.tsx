import { CancelLink, SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  RadioField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref, withQuery } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { type RuleBox, type RuleChoice, type RuleFormValues, type RuleText, ruleChoices } from "./rule-form.ts";
import { protectionsWords } from "./words/index.ts";

export interface BranchRuleProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** Its name; undefined: a new one. */
  readonly rule: string | undefined;
  readonly values: RuleFormValues;
  /** The owner is an organization. */
  readonly hasTeams: boolean;
  readonly errors?: FormErrors<RuleText>;
}

/** `GET/POST {W}/settings/branches/edit?rule_name=`. */
export function BranchRulePage(props: BranchRuleProps) {
  const { shell, repo, rule, errors } = props;
  const t = useWords(protectionsWords);
  const back = repoHref(repo, "settings/branches");
  const title = rule === undefined ? t("newRule") : t("editRule", { name: rule });
  return (
    <RepoSettings shell={shell} repo={repo} section="branches" title={title}>
      <form method="post" class="stack" action={withQuery(`${back}/edit`, { rule_name: rule ?? "" })}>
        <ErrorSummary errors={errors} />
        <Card title={t("whichBranches")}>
          <div class="form">
            {rule === undefined ? (
              <Text of={props} name="rule_name" label={t("rulePattern")} hint={t("rulePatternHint")} required />
            ) : (
              <p>
                <code>{rule}</code>
              </p>
            )}
          </div>
        </Card>
        <Card title={t("pushing")}>
          <div class="form">
            <Choice of={props} name="push" label={t("whoPushes")} />
            <People of={props} list="push" label={t("pushUsers")} teamsLabel={t("pushTeams")} />
            <Box of={props} name="push_whitelist_deploy_keys" label={t("pushKeys")} />
            <Choice of={props} name="force_push" label={t("whoForces")} />
            <People of={props} list="force_push" label={t("forceUsers")} teamsLabel={t("forceTeams")} />
            <Box of={props} name="force_push_allowlist_deploy_keys" label={t("forceKeys")} />
            <Box of={props} name="require_signed_commits" label={t("signedLabel")} hint={t("signedHint")} />
          </div>
        </Card>
        <Card title={t("files")}>
          <div class="form">
            <Text
              of={props}
              name="protected_file_patterns"
              label={t("protectedFiles")}
              hint={t("protectedFilesHint")}
            />
            <Text
              of={props}
              name="unprotected_file_patterns"
              label={t("unprotectedFiles")}
              hint={t("unprotectedFilesHint")}
            />
          </div>
        </Card>
        <Card title={t("merging")}>
          <div class="form">
            <Choice of={props} name="merge" label={t("whoMerges")} />
            <People of={props} list="merge" label={t("mergeUsers")} teamsLabel={t("mergeTeams")} />
            <Box of={props} name="enable_bypass_allowlist" label={t("bypass")} hint={t("bypassHint")} />
            <People of={props} list="bypass" label={t("bypassUsers")} teamsLabel={t("bypassTeams")} />
            <Box of={props} name="block_admin_merge_override" label={t("adminsToo")} />
            <Box of={props} name="block_on_outdated_branch" label={t("upToDate")} />
            <Box of={props} name="require_merge_queue" label={t("mergeQueue")} hint={t("mergeQueueHint")} />
          </div>
        </Card>
        <Card title={t("checks")}>
          <div class="form">
            <Box of={props} name="enable_status_check" label={t("checksLabel")} />
            <TextArea
              name="status_check_contexts"
              label={t("contexts")}
              hint={t("contextsHint")}
              value={props.values.texts.status_check_contexts}
              error={errors?.status_check_contexts}
            />
          </div>
        </Card>
        <Card title={t("reviews")}>
          <div class="form">
            <TextField
              name="required_approvals"
              type="number"
              label={t("approvals")}
              value={props.values.texts.required_approvals}
              error={errors?.required_approvals}
              inputmode="numeric"
            />
            <Box of={props} name="enable_approvals_whitelist" label={t("approversOnly")} />
            <People of={props} list="approvals" label={t("approvers")} teamsLabel={t("approverTeams")} />
            <Box of={props} name="block_on_rejected_reviews" label={t("blockRejected")} />
            <Box of={props} name="block_on_official_review_requests" label={t("blockRequested")} />
            <Box of={props} name="dismiss_stale_approvals" label={t("dismissStale")} />
            <Box of={props} name="ignore_stale_approvals" label={t("ignoreStale")} />
          </div>
        </Card>
        <FormActions>
          <SubmitButton kind="primary">{rule === undefined ? t("createRule") : t("save")}</SubmitButton>
          <CancelLink href={back} />
        </FormActions>
      </form>
    </RepoSettings>
  );
}

interface Part {
  of: BranchRuleProps;
  label: string;
  hint?: Children;
}

function Text({ of, name, label, hint, required }: Part & { name: RuleText; required?: boolean }) {
  return (
    <TextField
      name={name}
      label={label}
      value={of.values.texts[name]}
      error={of.errors?.[name]}
      autocomplete="off"
      {...(hint ? { hint } : {})}
      {...(required ? { required } : {})}
      code
    />
  );
}

function Box({ of, name, label, hint }: Part & { name: RuleBox }) {
  return <CheckField name={name} label={label} checked={of.values.boxes[name]} {...(hint ? { hint } : {})} />;
}

function Choice({ of, name, label }: Part & { name: RuleChoice }) {
  const t = useWords(protectionsWords);
  const labels = { nobody: t("nobody"), writers: t("writers"), listed: t("listed") };
  return (
    <RadioField
      name={name}
      label={label}
      value={of.values.choices[name]}
      choices={ruleChoices[name].map((value) => ({ value, label: labels[value] }))}
    />
  );
}

/** A list of people, and of teams if the owner has any. */
function People(props: Omit<Part, "hint"> & { list: ListField; teamsLabel: string }) {
  const { of, list, label, teamsLabel } = props;
  const t = useWords(protectionsWords);
  return (
    <>
      <Text of={of} name={`${list}_users`} label={label} hint={t("namesHint")} />
      {of.hasTeams ? <Text of={of} name={`${list}_teams`} label={teamsLabel} hint={t("namesHint")} /> : null}
    </>
  );
}

type ListField = "push" | "force_push" | "merge" | "bypass" | "approvals";
