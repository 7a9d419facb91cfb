import { languages } from "../../src/language/language.ts";
import { AvatarCard, type AvatarCardProps } from "../avatars/card.tsx";
import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  RadioField,
  SelectField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { NewPassword } from "../identity/register.tsx";
import { identityWords } from "../identity/words/index.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { SettingsFrame, useLinks } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { accountWords } from "./words/index.ts";

/** A page of the user's own settings; `section` is the id of its menu entry. */
export function UserSettings(props: { shell: Shell; section: string; children: Children }) {
  const t = useWords(accountWords);
  const links = useLinks(props.shell.contributions.userSettings, undefined, props.section);
  const title = links.find((link) => link.current)?.label ?? t("settings");
  return (
    <PageFrame shell={props.shell} title={[title, t("settings")]} width="wide" noIndex>
      <SettingsFrame title={title} menuLabel={t("yourSettings")} links={links}>
        {props.children}
      </SettingsFrame>
    </PageFrame>
  );
}

export interface ProfileSettingsProps {
  readonly shell: Shell;
  readonly form: FormState<"name" | "full_name" | "website" | "location" | "description" | "visibility">;
  readonly keepEmailPrivate: boolean;
  readonly keepActivityPrivate: boolean;
  readonly picture: AvatarCardProps;
}

/** By their number in the form (contract web.md 1.4). */
const VISIBILITIES = ["public", "limited", "private"] as const;

/** `GET/POST /user/settings`. */
export function ProfileSettingsPage({
  shell,
  form,
  keepEmailPrivate,
  keepActivityPrivate,
  picture,
}: ProfileSettingsProps) {
  const { values, errors } = form;
  const t = useWords(accountWords);
  const labels = {
    name: t("userName"),
    full_name: t("fullName"),
    website: t("website"),
    location: t("location"),
    description: t("aboutYou"),
  };
  return (
    <UserSettings shell={shell} section="profile">
      <ErrorSummary errors={errors} labels={labels} />
      <Card>
        <form class="form" method="post" action="/user/settings">
          <div class="field-row">
            <TextField
              name="name"
              label={labels.name}
              value={values?.name}
              error={errors?.name}
              hint={t("renameHint")}
              autocomplete="username"
              required
              code
            />
            <TextField
              name="full_name"
              label={labels.full_name}
              value={values?.full_name}
              error={errors?.full_name}
              autocomplete="name"
              maxLength={100}
            />
          </div>
          <TextArea
            name="description"
            label={labels.description}
            value={values?.description}
            error={errors?.description}
            maxLength={255}
          />
          <div class="field-row">
            <TextField
              name="website"
              label={labels.website}
              type="url"
              value={values?.website}
              error={errors?.website}
              autocomplete="url"
            />
            <TextField
              name="location"
              label={labels.location}
              value={values?.location}
              error={errors?.location}
              maxLength={50}
            />
          </div>
          <RadioField
            name="visibility"
            label={t("whoMaySee")}
            choices={VISIBILITIES.map((name, at) => ({
              value: String(at),
              label: t(`visibility-${name}`),
              hint: t(`visibility-${name}-hint`),
            }))}
            value={values?.visibility ?? "0"}
          />
          <CheckField name="keep_email_private" label={t("hideEmail")} checked={keepEmailPrivate} />
          <CheckField name="keep_activity_private" label={t("hideActivity")} checked={keepActivityPrivate} />
          <FormActions form="profile" flash={shell.flash}>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <AvatarCard {...picture} />
    </UserSettings>
  );
}

export interface EmailAddress {
  readonly id: number;
  readonly address: string;
  readonly isPrimary: boolean;
  /** Confirmed by email, or set by an administrator. */
  readonly isProven: boolean;
  readonly isVerified: boolean;
}

export interface AccountSettingsProps {
  readonly shell: Shell;
  readonly emails: readonly EmailAddress[];
  /** Whether the site can email a confirmation link. */
  readonly canConfirm: boolean;
  readonly passwordErrors?: FormErrors<"old_password" | "password" | "retype">;
  readonly emailForm: FormState<"email">;
  readonly minPassword: number;
  /** The account's sign-in source, which also manages its password, if any. */
  readonly source?: string;
  /** Why the account was not deleted. */
  readonly deleteError?: string;
}

/** `GET /user/settings/account`: password, email addresses, and deletion. */
export function AccountSettingsPage(props: AccountSettingsProps) {
  const { shell, emails, canConfirm, passwordErrors, emailForm, minPassword, deleteError, source } = props;
  const t = useWords(accountWords);
  const fields = useWords(identityWords);
  return (
    <UserSettings shell={shell} section="account">
      <ErrorSummary
        errors={passwordErrors}
        labels={{
          old_password: t("currentPassword"),
          password: fields("newPassword"),
          retype: fields("passwordAgain"),
        }}
      />
      {source === undefined ? (
        <Card title={t("password")}>
          <form class="form" method="post" action="/user/settings/account">
            <TextField
              name="old_password"
              label={t("currentPassword")}
              type="password"
              error={passwordErrors?.old_password}
              autocomplete="current-password"
              required
            />
            <NewPassword replaces errors={passwordErrors} minPassword={minPassword} />
            <FormActions form="password" flash={shell.flash}>
              <SubmitButton kind="primary">{t("changePassword")}</SubmitButton>
              <span class="hint">{t("sessionsEnd")}</span>
            </FormActions>
          </form>
        </Card>
      ) : (
        <Card title={t("password")}>
          <p>{t("passwordAtSource", { source })}</p>
        </Card>
      )}
      <Card title={t("emails")} flush>
        <ul class="list">
          {emails.map((email) => (
            <li class="danger-row">
              <div class="row">
                <span class="mono">{email.address}</span>
                {email.isPrimary ? <Badge tone="accent">{t("primary")}</Badge> : null}
                {email.isProven ? null : <Badge tone="warn">{t("notConfirmed")}</Badge>}
              </div>
              {email.isPrimary && (email.isProven || !canConfirm) ? null : (
                <div class="row">
                  {email.isProven || !canConfirm ? null : (
                    <form method="post" action="/user/settings/account/email">
                      <input type="hidden" name="_method" value="SENDACTIVATION" />
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small>{t("sendConfirmation")}</SubmitButton>
                    </form>
                  )}
                  {email.isVerified && !email.isPrimary ? (
                    <form method="post" action="/user/settings/account/email">
                      <input type="hidden" name="_method" value="PRIMARY" />
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small>{t("makePrimary")}</SubmitButton>
                    </form>
                  ) : null}
                  {email.isPrimary ? null : (
                    <form method="post" action="/user/settings/account/email/delete">
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small kind="quiet" icon="x">
                        {t("remove")}
                      </SubmitButton>
                    </form>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
        {emails.every((email) => email.isProven) ? null : (
          <p class="list-row hint">
            {t("confirmedCount")} {canConfirm ? null : t("administratorConfirms")}
          </p>
        )}
        <form class="form list-row" method="post" action="/user/settings/account/email">
          <TextField
            name="email"
            label={t("addEmail")}
            type="email"
            value={emailForm.values?.email}
            error={emailForm.errors?.email}
            autocomplete="email"
            required
          />
          <FormActions>
            <SubmitButton>{t("add")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("deleteAccount")} danger>
        <form class="form" method="post" action="/user/settings/account/delete">
          <p>{t("deleteAccountLead")}</p>
          <TextField
            id="f-delete-password"
            name="password"
            label={t("yourPassword")}
            type="password"
            error={deleteError}
            autocomplete="current-password"
            required
          />
          <FormActions>
            <SubmitButton kind="danger">{t("deleteMyAccount")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </UserSettings>
  );
}

/** `GET /user/settings/appearance`: theme and language, on this device and for the account, and the panels of areas. */
export function AppearanceSettingsPage({ shell, panels }: { shell: Shell; panels: Children }) {
  const t = useWords(accountWords);
  const themes = [
    { value: "auto", label: t("theme-auto"), hint: t("theme-auto-hint") },
    { value: "light", label: t("theme-light") },
    { value: "dark", label: t("theme-dark") },
  ];
  return (
    <UserSettings shell={shell} section="appearance">
      <Card title={t("theme")}>
        <form class="form" method="post" action="/user/settings/appearance/theme">
          <RadioField name="theme" label={t("theme")} choices={themes} value={shell.theme} />
          <FormActions>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("language")}>
        <form class="form" method="post" action="/user/settings/appearance/language">
          <SelectField
            name="language"
            label={t("language")}
            choices={languages.map(({ code, ownName }) => ({ value: code, label: ownName }))}
            value={useLanguage().code}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      {panels}
    </UserSettings>
  );
}
