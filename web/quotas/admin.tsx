import { sizeText } from "../../src/kernel/size.ts";
import { subjects as allSubjects } from "../../src/quotas/subjects.ts";
import type { QuotaGroup, QuotaRule } from "../../src/quotas/types.ts";
import { AdminFrame } from "../admin/admin-frame.tsx";
import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { groupHref, QUOTAS } from "./admin-links.ts";
import { quotaWords } from "./words/index.ts";

export type RuleField = "name" | "limit" | "subjects";

export interface RuleForm extends FormState<RuleField> {
  readonly subjects: readonly string[];
}

/** `GET /-/admin/quotas`. */
export function QuotasPage(props: {
  shell: Shell;
  isEnabled: boolean;
  rules: readonly QuotaRule[];
  groups: readonly QuotaGroup[];
  form: RuleForm;
}) {
  const t = useWords(quotaWords);
  const { groups, rules } = props;
  return (
    <AdminFrame shell={props.shell} page="quotas" title={t("quotas")}>
      {props.isEnabled ? null : <Notice kind="info">{t("switchedOff")}</Notice>}
      <Card title={t("groups")} flush>
        {groups.length === 0 ? (
          <EmptyState icon="people" title={t("noGroups")}>
            {t("noGroupsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {groups.map((group, at) => (
              <GroupRow group={group} at={at} />
            ))}
          </ul>
        )}
        <form class="list-row row nowrap" method="post" action={`${QUOTAS}/groups`}>
          <input
            type="text"
            name="name"
            aria-label={t("newGroup")}
            placeholder={t("newGroup")}
            maxlength={100}
            required
          />
          <SubmitButton>{t("createGroup")}</SubmitButton>
        </form>
      </Card>
      <Card title={t("rules")} flush>
        {rules.length === 0 ? (
          <EmptyState icon="law" title={t("noRules")}>
            {t("noRulesHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {rules.map((rule, at) => (
              <RuleRow rule={rule} at={at} />
            ))}
          </ul>
        )}
      </Card>
      <NewRule form={props.form} />
    </AdminFrame>
  );
}

function GroupRow({ group: { name, rules }, at }: { group: QuotaGroup; at: number }) {
  const t = useWords(quotaWords);
  return (
    <li class="danger-row">
      <div>
        <a href={groupHref(name)}>
          <strong>{name}</strong>
        </a>
        <div class="muted">{rules.length === 0 ? t("noRules") : rules.map((rule) => rule.name).join(", ")}</div>
      </div>
      <DeleteQuestion id={`delete-group-${at}`} what="group" name={name} />
    </li>
  );
}

function RuleRow({ rule, at }: { rule: QuotaRule; at: number }) {
  const t = useWords(quotaWords);
  return (
    <li class="danger-row">
      <div>
        <RuleText rule={rule} />
        <form class="row nowrap" method="post" action={`${QUOTAS}/rules`}>
          <input type="hidden" name="before" value={rule.name} />
          <input
            type="text"
            name="limit"
            value={sizeText(rule.limitBytes)}
            aria-label={`${t("limit")}: ${rule.name}`}
            required
          />
          <SubmitButton small>{t("save")}</SubmitButton>
        </form>
      </div>
      <DeleteQuestion id={`delete-rule-${at}`} what="rule" name={rule.name} />
    </li>
  );
}

function DeleteQuestion({ id, what, name }: { id: string; what: "group" | "rule"; name: string }) {
  const t = useWords(quotaWords);
  return (
    <>
      <OpenButton small kind="danger" opens={id}>
        {t("delete")}
      </OpenButton>
      <QuestionDialog
        id={id}
        title={t("deleteQuestion", { name })}
        action={`${QUOTAS}/${what}s/delete`}
        fields={{ name }}
        label={t("delete")}
      >
        {t(`${what}DeleteLead`)}
      </QuestionDialog>
    </>
  );
}

function RuleText({ rule: { name, limitBytes, subjects } }: { rule: QuotaRule }) {
  const t = useWords(quotaWords);
  const language = useLanguage();
  return (
    <>
      <strong>{name}</strong> {limitBytes === -1 ? t("noLimit") : language.size(limitBytes)}
      <div class="muted">{subjects.map((subject) => t(`subject-${subject}`)).join(", ")}</div>
    </>
  );
}

function NewRule({ form: { errors, subjects, values } }: { form: RuleForm }) {
  const t = useWords(quotaWords);
  const labels = { name: t("name"), limit: t("limit"), subjects: t("subjects") };
  return (
    <Card title={t("newRule")}>
      <form class="form" method="post" action={`${QUOTAS}/rules`}>
        <ErrorSummary errors={errors} labels={labels} />
        <TextField
          name="name"
          label={labels.name}
          value={values?.name}
          error={errors?.name}
          maxLength={100}
          autocomplete="off"
          required
        />
        <TextField
          name="limit"
          label={labels.limit}
          hint={t("limitHint")}
          value={values?.limit}
          error={errors?.limit}
          autocomplete="off"
          required
          code
        />
        <fieldset class={errors?.subjects ? "field field-bad" : "field"}>
          <legend>{labels.subjects}</legend>
          {allSubjects.map((subject) => (
            <CheckField
              name="subjects"
              id={`subject-${subject.replaceAll(":", "-")}`}
              value={subject}
              label={t(`subject-${subject}`)}
              checked={subjects.includes(subject)}
            />
          ))}
        </fieldset>
        <FormActions>
          <SubmitButton kind="primary">{t("createRule")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

/** `GET /-/admin/quotas/groups/{name}`. */
export function GroupPage(props: {
  shell: Shell;
  group: QuotaGroup;
  otherRules: readonly QuotaRule[];
  members: readonly Person[];
  pages: PageOf;
}) {
  const t = useWords(quotaWords);
  const { group, members, otherRules } = props;
  const href = groupHref(group.name);
  return (
    <AdminFrame shell={props.shell} page="quotas" title={`${t("group")}: ${group.name}`}>
      <p>
        <a href={QUOTAS}>{t("quotas")}</a>
      </p>
      <Card title={t("rules")} flush>
        {group.rules.length === 0 ? <EmptyState icon="law" title={t("noRules")} /> : null}
        <ul class="list">
          {group.rules.map((rule) => (
            <li class="danger-row">
              <div>
                <RuleText rule={rule} />
              </div>
              <ChangeForm action={`${href}/rules`} name="rule" value={rule.name} />
            </li>
          ))}
        </ul>
        {otherRules.length === 0 ? null : (
          <form class="list-row row nowrap" method="post" action={`${href}/rules`}>
            <select name="rule" aria-label={t("rules")}>
              {otherRules.map(({ name }) => (
                <option value={name}>{name}</option>
              ))}
            </select>
            <SubmitButton>{t("add")}</SubmitButton>
          </form>
        )}
      </Card>
      <Card title={t("members")} flush>
        {members.length === 0 ? <EmptyState icon="people" title={t("noMembers")} /> : null}
        <ul class="list">
          {members.map((person) => (
            <li class="danger-row">
              <div class="row">
                <Avatar person={person} size={32} />
                <PersonName person={person} />
              </div>
              <ChangeForm action={`${href}/members`} name="user_name" value={person.name} />
            </li>
          ))}
        </ul>
        <form class="list-row row nowrap" method="post" action={`${href}/members`}>
          <input
            type="text"
            name="user_name"
            aria-label={t("userName")}
            placeholder={t("userName")}
            autocapitalize="none"
            required
          />
          <SubmitButton>{t("add")}</SubmitButton>
        </form>
      </Card>
      <Pagination of={props.pages} />
    </AdminFrame>
  );
}

/** Removes a rule or a member. */
function ChangeForm({ action, name, value }: { action: string; name: string; value: string }) {
  const t = useWords(quotaWords);
  return (
    <form method="post" action={action}>
      <input type="hidden" name={name} value={value} />
      <SubmitButton small name="action" value="remove">
        {t("remove")}
      </SubmitButton>
    </form>
  );
}
