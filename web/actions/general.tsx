import type { User } from "../../src/access/user.ts";
import { type TokenRule, tokenRules } from "../../src/actions/tokens/rules.ts";
import { Avatar, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, type FormState, RadioField, TextField } from "../components/form.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { personOf } from "../people.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { ActionsFrame } from "./frame.tsx";
import { actionsWords } from "./words/index.ts";

/** For a repository. */
export interface OtherJobsProps {
  /** Its owner's name. */
  readonly owner: string;
  /** The owners whose repositories' jobs may read it. */
  readonly readers: readonly User[];
  readonly form: FormState<"collaborative_owner">;
}

export interface GeneralPageProps {
  readonly place: PlaceProps;
  readonly rule: TokenRule;
  /** For a repository: whether it runs workflows. */
  readonly isOn: boolean | undefined;
  readonly otherJobs: OtherJobsProps | undefined;
}

/** `GET …/actions/general`. */
export function GeneralPage({ isOn, otherJobs, place, rule }: GeneralPageProps) {
  const t = useWords(actionsWords);
  return (
    <ActionsFrame place={place} part="general">
      {isOn === undefined ? null : (
        <Card title={t("workflows")}>
          <form class="form" method="post" action={`${place.base}/actions_unit`}>
            <CheckField name="enable_actions" label={t("runsWorkflows")} hint={t("offHint")} checked={isOn} />
            <FormActions form="unit" flash={place.shell.flash}>
              <SubmitButton>{t("save")}</SubmitButton>
            </FormActions>
          </form>
        </Card>
      )}
      <Card title={t("tokens")}>
        <form class="form" method="post" action={`${place.base}/token_permissions`}>
          <RadioField
            name="token_rule"
            label={t("tokenRule")}
            hint={t("tokenHint")}
            value={rule}
            choices={tokenRules.map((value) => ({ value, label: t(`rule-${value}`), hint: t(`ruleHint-${value}`) }))}
          />
          <FormActions form="tokens" flash={place.shell.flash}>
            <SubmitButton>{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      {otherJobs ? <OtherJobs {...otherJobs} action={`${place.base}/collaborative_owner`} /> : null}
    </ActionsFrame>
  );
}

function OtherJobs({ action, form, owner, readers }: OtherJobsProps & { action: string }) {
  const t = useWords(actionsWords);
  return (
    <Card title={t("otherJobs")}>
      <p class="hint">{t("otherJobsHint", { owner })}</p>
      {readers.length === 0 ? (
        <EmptyState icon="lock" title={t("noOtherJobs")}>
          {t("noOtherJobsHint")}
        </EmptyState>
      ) : (
        <ul class="list">
          {readers.map((reader) => (
            <li class="danger-row">
              <div class="row">
                <Avatar person={personOf(reader)} size={32} />
                <PersonName person={personOf(reader)} />
              </div>
              <form method="post" action={`${action}/delete`}>
                <input type="hidden" name="id" value={String(reader.id)} />
                <SubmitButton kind="quiet" icon="x">
                  {t("removeOwner")}
                </SubmitButton>
              </form>
            </li>
          ))}
        </ul>
      )}
      <form class="form" method="post" action={`${action}/add`}>
        <TextField
          name="collaborative_owner"
          label={t("otherOwner")}
          value={form.values?.collaborative_owner}
          error={form.errors?.collaborative_owner ?? form.errors?.form}
          autocomplete="off"
          required
          code
        />
        <FormActions>
          <SubmitButton>{t("addOwner")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}
