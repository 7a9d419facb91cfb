import { CancelLink, SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, RadioField, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { organizationWords } from "./words/index.ts";

export type NewOrganizationField = "org_name" | "visibility";

/** The visibilities of an organization, by their number in forms. */
export function useVisibilities() {
  const t = useWords(organizationWords);
  return (["public", "limited", "private"] as const).map((visibility, at) => ({
    value: String(at),
    label: t(`visibility-${visibility}`),
    hint: t(`visibilityHint-${visibility}`),
  }));
}

/** `GET/POST /org/create`. */
export function NewOrganizationPage(props: {
  shell: Shell;
  form: FormState<NewOrganizationField>;
  repoAdminsChangeTeams: boolean;
  mayCreate: boolean;
}) {
  const t = useWords(organizationWords);
  const { values, errors } = props.form;
  const labels = { org_name: t("name"), visibility: t("visibility") };
  return (
    <PageFrame shell={props.shell} title={[t("newOrganization")]} width="narrow" noIndex>
      <h1>{t("newOrganization")}</h1>
      {props.mayCreate ? (
        <form class="form" method="post" action="/org/create">
          <p class="muted">{t("newOrganizationHint")}</p>
          <ErrorSummary errors={errors} labels={labels} />
          <TextField
            name="org_name"
            label={labels.org_name}
            value={values?.org_name}
            error={errors?.org_name}
            hint={t("nameHint")}
            maxLength={40}
            autocomplete="off"
            autofocus
            required
            code
          />
          <RadioField
            name="visibility"
            label={labels.visibility}
            value={values?.visibility ?? "0"}
            error={errors?.visibility}
            choices={useVisibilities()}
          />
          <CheckField
            name="repo_admin_change_team_access"
            label={t("repoAdminsChangeTeams")}
            checked={props.repoAdminsChangeTeams}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("createOrganization")}</SubmitButton>
            <CancelLink href="/" />
          </FormActions>
        </form>
      ) : (
        <p>{t("notAllowedToCreate")}</p>
      )}
    </PageFrame>
  );
}
