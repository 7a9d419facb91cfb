import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  TextField,
} from "../components/form.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { GatePage } from "./gate.tsx";
import { NewPassword } from "./register.tsx";

/** Pages around the links in mails: asking for one, and what stands behind it. */

export interface GateMessageProps {
  readonly shell: Shell;
  readonly title: string;
  readonly text: string;
  /** Where to go from here. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** A page that only says something. */
export function GateMessage({ shell, title, text, link }: GateMessageProps) {
  return (
    <PageFrame shell={shell} title={[title]} width="narrow" noIndex>
      <GatePage title={title}>
        <p>{text}</p>
        {link ? (
          <p class="gate-other">
            <a href={link.href}>{link.label}</a>
          </p>
        ) : null}
      </GatePage>
    </PageFrame>
  );
}

export interface MailRequestProps {
  readonly shell: Shell;
  readonly title: string;
  readonly lead: string;
  /** The form's own address. */
  readonly action: string;
  readonly form: FormState<"email">;
  readonly submit: string;
}

/** `/user/forgot_password`, and `/user/activate` without a code: an address to send a link to. */
export function MailRequestPage({ shell, title, lead, action, form, submit }: MailRequestProps) {
  return (
    <PageFrame shell={shell} title={[title]} width="narrow" noIndex>
      <GatePage title={title} lead={lead}>
        <form class="form" method="post" action={action}>
          <ErrorSummary errors={form.errors} labels={{ email: "E-mail address" }} />
          <TextField
            name="email"
            label="E-mail address"
            type="email"
            value={form.values?.email}
            error={form.errors?.email}
            autocomplete="email"
            autofocus
            required
          />
          <FormActions>
            <SubmitButton kind="primary">{submit}</SubmitButton>
            <a href="/user/login">Sign in</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

export interface RecoverProps {
  readonly shell: Shell;
  readonly code: string;
  readonly login: string;
  readonly errors?: FormErrors<"password" | "retype">;
  readonly minPassword: number;
}

/** `GET/POST /user/recover_account?code=`. */
export function RecoverPage({ shell, code, login, errors, minPassword }: RecoverProps) {
  return (
    <PageFrame shell={shell} title={["Set a new password"]} width="narrow" noIndex>
      <GatePage title="Set a new password" lead={`For the account ${login}. All its sessions end.`}>
        <form class="form" method="post" action="/user/recover_account">
          <ErrorSummary errors={errors} labels={{ password: "Password", retype: "Password again" }} />
          <input type="hidden" name="code" value={code} />
          <NewPassword errors={errors} minPassword={minPassword} />
          <CheckField name="remember" label="Stay signed in on this device" />
          <FormActions>
            <SubmitButton kind="primary">Set password</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

export interface ActivateProps {
  readonly shell: Shell;
  readonly code: string;
  readonly login: string;
  readonly errors?: FormErrors<"password">;
}

/** `GET/POST /user/activate?code=`: the password shows that whoever opens the mail also made the account. */
export function ActivatePage({ shell, code, login, errors }: ActivateProps) {
  return (
    <PageFrame shell={shell} title={["Activate your account"]} width="narrow" noIndex>
      <GatePage title="Activate your account" lead={`Enter the password that you chose for ${login}.`}>
        <form class="form" method="post" action="/user/activate">
          <ErrorSummary errors={errors} labels={{ password: "Password" }} />
          <input type="hidden" name="code" value={code} />
          <TextField
            name="password"
            label="Password"
            type="password"
            error={errors?.password}
            autocomplete="current-password"
            autofocus
            required
          />
          <FormActions>
            <SubmitButton kind="primary">Activate</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

/** `GET /user/activate_email?code=&email=`: a GET changes nothing, and mail programs open links by themselves. */
export function ConfirmAddressPage({ shell, code, email }: { shell: Shell; code: string; email: string }) {
  return (
    <PageFrame shell={shell} title={["Confirm your address"]} width="narrow" noIndex>
      <GatePage title="Confirm your address">
        <form class="form" method="post" action="/user/activate_email">
          <p>
            <strong>{email}</strong> becomes a confirmed address of {shell.viewer?.name ?? "your account"}. Commits with
            it will be shown as yours.
          </p>
          <input type="hidden" name="code" value={code} />
          <FormActions>
            <SubmitButton kind="primary">Confirm</SubmitButton>
            <a href="/user/settings/account">Not now</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
