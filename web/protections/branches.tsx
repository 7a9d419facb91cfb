import { LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { CheckField, FormActions, type FormState, SelectField, TextArea, TextField } from "../components/form.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref, withQuery } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { protectionsWords } from "./words/index.ts";

/** A rule as the list shows it. */
export interface RuleItem {
  readonly id: number;
  readonly name: string;
  readonly push: "nobody" | "writers" | "listed";
  readonly allowsForce: boolean;
  readonly needsSignatures: boolean;
  readonly needsChecks: boolean;
  readonly approvals: number;
}

export interface BranchSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly branches: readonly string[];
  /** In order of evaluation. */
  readonly rules: readonly RuleItem[];
  readonly form: FormState<"branch">;
  readonly limits: FormState<LimitField>;
}

export type LimitField = "max_file_mib" | "refuse_secrets" | "patterns";

/** `GET/POST {W}/settings/branches`: the default branch, branch protection rules, and limits on pushes. */
export function BranchSettingsPage({ shell, repo, branches, rules, form, limits }: BranchSettingsProps) {
  const t = useWords(protectionsWords);
  const action = repoHref(repo, "settings/branches");
  return (
    <RepoSettings shell={shell} repo={repo} section="branches" title={t("branches")}>
      <Card title={t("defaultBranch")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="default_branch" />
          <SelectField
            name="branch"
            label={t("defaultBranch")}
            hint={t("defaultBranchHint")}
            choices={branches.map((name) => ({ value: name, label: name }))}
            value={form.values?.branch ?? repo.defaultBranch}
            error={form.errors?.branch}
          />
          <FormActions form="default-branch" flash={shell.flash}>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card
        title={t("branchRules")}
        flush
        actions={
          <LinkButton small icon="plus" href={`${action}/edit`}>
            {t("addRule")}
          </LinkButton>
        }
      >
        {rules.length === 0 ? (
          <EmptyState icon="shield-lock" title={t("noBranchRules")}>
            {t("noBranchRulesHint")}
          </EmptyState>
        ) : (
          <ol class="list">
            {rules.map((rule, at) => (
              <RuleRow rule={rule} at={at} rules={rules} action={action} />
            ))}
          </ol>
        )}
      </Card>
      <Card title={t("pushLimits")}>
        <form class="form" method="post" action={`${action}/pushes`}>
          <TextField
            name="max_file_mib"
            label={t("maxFile")}
            hint={t("maxFileHint")}
            value={limits.values?.max_file_mib}
            error={limits.errors?.max_file_mib}
            inputmode="numeric"
            autocomplete="off"
          />
          <CheckField
            name="refuse_secrets"
            label={t("refuseSecrets")}
            hint={t("refuseSecretsHint")}
            checked={limits.values?.refuse_secrets === "on"}
          />
          <TextArea
            name="patterns"
            label={t("patterns")}
            hint={t("patternsHint")}
            value={limits.values?.patterns}
            error={limits.errors?.patterns ?? limits.errors?.form}
          />
          <FormActions form="pushes" flash={shell.flash}>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      {rules.map(({ id, name }) => (
        <Dialog id={`delete-rule-${id}`} title={t("deleteRuleTitle", { name })}>
          <form class="form" method="post" action={`${action}/${id}/delete`}>
            <p>{t("deleteRuleAbout")}</p>
            <DialogActions label={t("deleteRule")} danger />
          </form>
        </Dialog>
      ))}
    </RepoSettings>
  );
}

function RuleRow(props: { rule: RuleItem; at: number; rules: readonly RuleItem[]; action: string }) {
  const { rule, at, rules, action } = props;
  const t = useWords(protectionsWords);
  const ids = rules.map(({ id }) => id);
  return (
    <li class="rule-row">
      <div class="rule-about">
        <a class="rule-name" href={withQuery(`${action}/edit`, { rule_name: rule.name })}>
          <code>{rule.name}</code>
        </a>
        <p class="row rule-facts">
          <Badge>{t(`push-${rule.push}`)}</Badge>
          {rule.allowsForce ? <Badge tone="warn">{t("forceAllowed")}</Badge> : null}
          {rule.needsSignatures ? <Badge>{t("signedOnly")}</Badge> : null}
          {rule.needsChecks ? <Badge>{t("checksNeeded")}</Badge> : null}
          {rule.approvals > 0 ? <Badge>{t("approvalsNeeded", { count: rule.approvals })}</Badge> : null}
        </p>
      </div>
      <div class="row">
        <MoveButton action={action} ids={swapped(ids, at, at - 1)} icon="arrow-up" label={t("moveUp", rule)} />
        <MoveButton action={action} ids={swapped(ids, at, at + 1)} icon="arrow-down" label={t("moveDown", rule)} />
        <LinkButton small icon="pencil" href={withQuery(`${action}/edit`, { rule_name: rule.name })}>
          {t("edit")}
        </LinkButton>
        <OpenButton small kind="quiet" icon="trash" opens={`delete-rule-${rule.id}`}>
          {t("delete")}
        </OpenButton>
      </div>
    </li>
  );
}

/** Moves a rule by one position; `ids` is the resulting order. */
function MoveButton(props: {
  action: string;
  ids: readonly number[] | undefined;
  icon: "arrow-up" | "arrow-down";
  label: string;
}) {
  return (
    <form method="post" action={`${props.action}/priority`}>
      <input type="hidden" name="ids" value={(props.ids ?? []).join(",")} />
      <button
        type="submit"
        class={`btn btn-icon btn-quiet btn-small i-${props.icon}`}
        aria-label={props.label}
        title={props.label}
        disabled={props.ids === undefined}
      />
    </form>
  );
}

function swapped(ids: readonly number[], at: number, other: number): number[] | undefined {
  const [one, two] = [ids[at], ids[other]];
  return one === undefined || two === undefined ? undefined : ids.with(at, two).with(other, one);
}
