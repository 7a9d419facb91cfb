import { CancelLink, LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { protectionsWords } from "./words/index.ts";

export type TagField = "name_pattern" | "users" | "teams";

export interface TagRuleItem {
  readonly id: number;
  readonly pattern: string;
  readonly users: readonly string[];
  readonly teams: readonly string[];
}

export interface TagSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly rules: readonly TagRuleItem[];
  /** Id of the rule being edited; undefined: the form creates a new one. */
  readonly edited: number | undefined;
  readonly form: FormState<TagField>;
  /** The owner is an organization. */
  readonly hasTeams: boolean;
}

/** `GET/POST {W}/settings/tags` and `/settings/tags/{id}`. */
export function TagSettingsPage({ shell, repo, rules, edited, form, hasTeams }: TagSettingsProps) {
  const t = useWords(protectionsWords);
  const action = repoHref(repo, "settings/tags");
  const names = (rule: TagRuleItem) => [...rule.users, ...rule.teams].join(", ");
  return (
    <RepoSettings shell={shell} repo={repo} section="tags" title={t("tags")}>
      <Card title={t("tagRules")} flush>
        {rules.length === 0 ? (
          <EmptyState icon="tag" title={t("noTagRules")}>
            {t("noTagRulesHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {rules.map((rule) => (
              <li class="rule-row">
                <div class="rule-about">
                  <code class="rule-name">{rule.pattern}</code>
                  <p class="muted">{names(rule) === "" ? t("nobody") : t("onlyThese", { names: names(rule) })}</p>
                </div>
                <div class="row">
                  <LinkButton small icon="pencil" href={`${action}/${rule.id}`}>
                    {t("edit")}
                  </LinkButton>
                  <OpenButton small kind="quiet" icon="trash" opens={`delete-rule-${rule.id}`}>
                    {t("delete")}
                  </OpenButton>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={edited === undefined ? t("addTagRule") : t("editTagRule")}>
        <form class="form" method="post" action={edited === undefined ? action : `${action}/${edited}`}>
          <ErrorSummary errors={form.errors} />
          <TextField
            name="name_pattern"
            label={t("tagPattern")}
            hint={t("tagPatternHint")}
            value={form.values?.name_pattern}
            error={form.errors?.name_pattern}
            autocomplete="off"
            required
            code
          />
          <TextField
            name="users"
            label={t("tagUsers")}
            hint={t("namesHint")}
            value={form.values?.users}
            error={form.errors?.users}
            autocomplete="off"
            code
          />
          {hasTeams ? (
            <TextField
              name="teams"
              label={t("tagTeams")}
              hint={t("namesHint")}
              value={form.values?.teams}
              error={form.errors?.teams}
              autocomplete="off"
              code
            />
          ) : null}
          <FormActions>
            <SubmitButton kind="primary">{edited === undefined ? t("createRule") : t("save")}</SubmitButton>
            {edited === undefined ? null : <CancelLink href={action} />}
          </FormActions>
        </form>
      </Card>
      {rules.map(({ id, pattern }) => (
        <Dialog id={`delete-rule-${id}`} title={t("deleteRuleTitle", { name: pattern })}>
          <form class="form" method="post" action={`${action}/delete`}>
            <input type="hidden" name="id" value={String(id)} />
            <p>{t("deleteTagRuleAbout")}</p>
            <DialogActions label={t("deleteRule")} danger />
          </form>
        </Dialog>
      ))}
    </RepoSettings>
  );
}
