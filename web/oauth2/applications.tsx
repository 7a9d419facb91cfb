import { OpenButton, SubmitButton } from "../components/button.tsx";
import { CopyBox } from "../components/clone-box.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, TextArea, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { oauth2Words } from "./words/index.ts";

/**
 * Registered applications: the list, the form for a new one, and the page of one. Used by settings and administration.
 */

export interface ApplicationListItem {
  readonly id: number;
  readonly name: string;
  readonly clientId: string;
  readonly createdAt: Instant;
}

export interface ApplicationValues {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isConfidential: boolean;
  readonly skipsLaterConsent: boolean;
}

export interface ApplicationForm {
  readonly values?: ApplicationValues;
  readonly errors?: FormErrors<"application_name" | "redirect_uris">;
}

export interface ApplicationCardsProps {
  readonly applications: readonly ApplicationListItem[];
  /** URL that the form posts to; each application's page is below it. */
  readonly action: string;
  readonly form: ApplicationForm;
}

export function ApplicationCards({ applications, action, form }: ApplicationCardsProps) {
  const t = useWords(oauth2Words);
  return (
    <>
      <Card title={t("applications")} id="oauth2-applications" flush>
        {applications.length === 0 ? (
          <EmptyState icon="key" title={t("noApplications")}>
            {t("noApplicationsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {applications.map((application) => (
              <li class="row">
                <Icon name="key" />
                <div class="grow">
                  <p>
                    <a href={`${action}/${application.id}`}>
                      <strong>{application.name}</strong>
                    </a>
                  </p>
                  <p class="repo-facts">
                    <code class="muted">{application.clientId}</code>
                    <Time at={application.createdAt} text={t("registeredAt", { time: TIME })} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("newApplication")} id="new-application">
        <ApplicationFields action={action} form={form} submit={t("register")} />
      </Card>
    </>
  );
}

function ApplicationFields({ action, form, submit }: { action: string; form: ApplicationForm; submit: string }) {
  const t = useWords(oauth2Words);
  const { errors, values } = form;
  return (
    <form class="form" method="post" action={action}>
      <ErrorSummary
        errors={errors}
        labels={{ application_name: t("applicationName"), redirect_uris: t("redirectUris") }}
      />
      <TextField
        name="application_name"
        label={t("applicationName")}
        value={values?.name}
        error={errors?.application_name}
        autocomplete="off"
        maxLength={255}
        required
      />
      <TextArea
        name="redirect_uris"
        label={t("redirectUris")}
        value={values?.redirectUris.join("\n")}
        error={errors?.redirect_uris}
        hint={t("redirectUrisHint")}
        rows={3}
      />
      <CheckField
        name="confidential_client"
        label={t("confidential")}
        hint={t("confidentialHint")}
        checked={values?.isConfidential ?? true}
      />
      <CheckField
        name="skip_secondary_authorization"
        label={t("skipsLaterConsent")}
        hint={t("skipsLaterConsentHint")}
        checked={values?.skipsLaterConsent ?? false}
      />
      <FormActions>
        <SubmitButton kind="primary">{submit}</SubmitButton>
      </FormActions>
    </form>
  );
}

export interface ApplicationDetailsProps {
  readonly application: ApplicationListItem & ApplicationValues;
  /** URL of this application. */
  readonly action: string;
  readonly form: ApplicationForm;
  /** Just created; shown once. */
  readonly secret?: string;
}

/** The page of one application, inside the frame of settings or administration. */
export function ApplicationDetails({ application, action, form, secret }: ApplicationDetailsProps) {
  const t = useWords(oauth2Words);
  return (
    <>
      {secret === undefined ? null : (
        <Notice kind="success">
          <p>{t("copySecret")}</p>
          <CopyBox text={secret} label={t("clientSecret")} id="new-secret" />
        </Notice>
      )}
      <Card title={application.name}>
        <p>{t("clientId")}</p>
        <CopyBox text={application.clientId} label={t("clientId")} id="client-id" />
        <form class="form" method="post" action={`${action}/regenerate_secret`}>
          <p class="hint">{t("renewSecretHint")}</p>
          <FormActions>
            <SubmitButton>{t("renewSecret")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("editApplication")}>
        <ApplicationFields action={action} form={{ values: application, ...form }} submit={t("save")} />
      </Card>
      <Card title={t("deleteApplication")} danger>
        <p>{t("deleteApplicationHint")}</p>
        <FormActions>
          <OpenButton kind="danger" opens="delete-application">
            {t("deleteApplication")}
          </OpenButton>
        </FormActions>
        <ConfirmDialog
          id="delete-application"
          title={t("deleteApplication")}
          action={`${action}/delete`}
          typed={application.name}
          field="application_name"
          label={t("deleteApplication")}
        />
      </Card>
    </>
  );
}
