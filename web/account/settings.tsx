import { AvatarCard, type AvatarCardProps } from "../avatars/card.tsx";
import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  type Choice,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  RadioField,
  TextArea,
  TextField,
} from "../components/form.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { NewPassword } from "../identity/register.tsx";
import type { Children } from "../jsx/types.ts";
import { linksOf, SettingsFrame } from "../layout/settings-frame.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";

/** A page of one's own settings; `section` is the id of its entry in the menu. */
export function UserSettings(props: { shell: Shell; section: string; children: Children }) {
  const links = linksOf(props.shell.contributions.userSettings, undefined, props.section);
  const title = links.find((link) => link.current)?.label ?? "Settings";
  return (
    <PageFrame shell={props.shell} title={[title, "Settings"]} width="wide" noIndex>
      <SettingsFrame title={title} menuLabel="Your settings" links={links}>
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

const VISIBILITIES: readonly Choice[] = [
  { value: "0", label: "Public", hint: "Everyone can see your profile." },
  { value: "1", label: "Limited", hint: "Only people who are signed in." },
  { value: "2", label: "Private", hint: "Only people who share a repository with you." },
];

/** `GET/POST /user/settings`. */
export function ProfileSettingsPage({
  shell,
  form,
  keepEmailPrivate,
  keepActivityPrivate,
  picture,
}: ProfileSettingsProps) {
  const { values, errors } = form;
  const labels = {
    name: "User name",
    full_name: "Full name",
    website: "Website",
    location: "Location",
    description: "About you",
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
            label="Who may see your profile"
            choices={VISIBILITIES}
            value={values?.visibility ?? "0"}
          />
          <CheckField name="keep_email_private" label="Hide my e-mail address" checked={keepEmailPrivate} />
          <CheckField name="keep_activity_private" label="Hide my activity" checked={keepActivityPrivate} />
          <FormActions form="profile" flash={shell.flash}>
            <SubmitButton kind="primary">Save</SubmitButton>
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
  /** Confirmed by a mail, or set by an administrator. */
  readonly isProven: boolean;
  readonly isVerified: boolean;
}

export interface AccountSettingsProps {
  readonly shell: Shell;
  readonly emails: readonly EmailAddress[];
  /** Whether the site can mail a link that confirms an address. */
  readonly canConfirm: boolean;
  readonly passwordErrors?: FormErrors<"old_password" | "password" | "retype">;
  readonly emailForm: FormState<"email">;
  readonly minPassword: number;
  /** Why the account was not deleted. */
  readonly deleteError?: string;
}

/** `GET /user/settings/account`: password and e-mail addresses, and the way out. */
export function AccountSettingsPage(props: AccountSettingsProps) {
  const { shell, emails, canConfirm, passwordErrors, emailForm, minPassword, deleteError } = props;
  return (
    <UserSettings shell={shell} section="account">
      <ErrorSummary
        errors={passwordErrors}
        labels={{ old_password: "Current password", password: "Password", retype: "Password again" }}
      />
      <Card title="Password">
        <form class="form" method="post" action="/user/settings/account">
          <TextField
            name="old_password"
            label="Current password"
            type="password"
            error={passwordErrors?.old_password}
            autocomplete="current-password"
            required
          />
          <NewPassword errors={passwordErrors} minPassword={minPassword} />
          <FormActions form="password" flash={shell.flash}>
            <SubmitButton kind="primary">Change password</SubmitButton>
            <span class="hint">This signs you out everywhere else.</span>
          </FormActions>
        </form>
      </Card>
      <Card title="E-mail addresses" flush>
        <ul class="list">
          {emails.map((email) => (
            <li class="danger-row">
              <div class="row">
                <span class="mono">{email.address}</span>
                {email.isPrimary ? <Badge tone="accent">Primary</Badge> : null}
                {email.isProven ? null : <Badge tone="warn">Not confirmed</Badge>}
              </div>
              {email.isPrimary && (email.isProven || !canConfirm) ? null : (
                <div class="row">
                  {email.isProven || !canConfirm ? null : (
                    <form method="post" action="/user/settings/account/email">
                      <input type="hidden" name="_method" value="SENDACTIVATION" />
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small>Send a mail to confirm it</SubmitButton>
                    </form>
                  )}
                  {email.isVerified && !email.isPrimary ? (
                    <form method="post" action="/user/settings/account/email">
                      <input type="hidden" name="_method" value="PRIMARY" />
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small>Make primary</SubmitButton>
                    </form>
                  ) : null}
                  {email.isPrimary ? null : (
                    <form method="post" action="/user/settings/account/email/delete">
                      <input type="hidden" name="id" value={String(email.id)} />
                      <SubmitButton small kind="quiet" icon="x">
                        Remove
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
            Commits are shown as yours by confirmed addresses only.
            {canConfirm ? null : " This site sends no mail; its administrator can confirm an address."}
          </p>
        )}
        <form class="form list-row" method="post" action="/user/settings/account/email">
          <TextField
            name="email"
            label="Add an e-mail address"
            type="email"
            value={emailForm.values?.email}
            error={emailForm.errors?.email}
            autocomplete="email"
            required
          />
          <FormActions>
            <SubmitButton>Add</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title="Delete account" danger>
        <form class="form" method="post" action="/user/settings/account/delete">
          <p>This cannot be undone. Repositories you own have to be deleted or transferred first.</p>
          <TextField
            id="f-delete-password"
            name="password"
            label="Your password"
            type="password"
            error={deleteError}
            autocomplete="current-password"
            required
          />
          <FormActions>
            <SubmitButton kind="danger">Delete my account</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </UserSettings>
  );
}

const THEMES = [
  { value: "auto", label: "System", hint: "Follows the setting of your device." },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** `GET /user/settings/appearance`: the theme, on this device and as the account's own. */
export function AppearanceSettingsPage({ shell }: { shell: Shell }) {
  return (
    <UserSettings shell={shell} section="appearance">
      <Card title="Theme">
        <form class="form" method="post" action="/-/web-theme/apply">
          <RadioField name="theme" label="Theme" choices={THEMES} value={shell.theme} />
          <FormActions>
            <SubmitButton kind="primary">Save</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </UserSettings>
  );
}
