import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  type FormState,
  TextField,
} from "../components/form.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { GatePage } from "./gate.tsx";
import { NewPassword } from "./register.tsx";
import { identityWords } from "./words/index.ts";

/** Pages around links in emails: requesting one, and the pages they open. */

export interface GateMessageProps {
  readonly shell: Shell;
  readonly title: string;
  readonly text: string;
  /** The link to continue with. */
  readonly link?: { readonly href: string; readonly label: string };
}

/** A page that only shows a message. */
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
  /** The form's own URL. */
  readonly action: string;
  readonly form: FormState<"email">;
  readonly submit: string;
}

/** `/user/forgot_password`, and `/user/activate` without a code: asks for the email address to send a link to. */
export function MailRequestPage({ shell, title, lead, action, form, submit }: MailRequestProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[title]} width="narrow" noIndex>
      <GatePage title={title} lead={lead}>
        <form class="form" method="post" action={action}>
          <ErrorSummary errors={form.errors} labels={{ email: t("email") }} />
          <TextField
            name="email"
            label={t("email")}
            type="email"
            value={form.values?.email}
            error={form.errors?.email}
            autocomplete="email"
            autofocus
            required
          />
          <FormActions>
            <SubmitButton kind="primary">{submit}</SubmitButton>
            <a href="/user/login">{t("signIn")}</a>
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
  readonly errors?: FormErrors<"password" | "retype" | "passcode">;
  readonly minPassword: number;
  /** The account has passcodes, so the form also asks for one or for a recovery code. */
  readonly asksPasscode: boolean;
}

/** `GET/POST /user/recover_account?code=`. */
export function RecoverPage({ shell, code, login, errors, minPassword, asksPasscode }: RecoverProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("recoverTitle")]} width="narrow" noIndex>
      <GatePage title={t("recoverTitle")} lead={t("recoverLead", { name: login })}>
        <form class="form" method="post" action="/user/recover_account">
          <ErrorSummary errors={errors} labels={{ password: t("password"), retype: t("passwordAgain") }} />
          <input type="hidden" name="code" value={code} />
          <NewPassword replaces errors={errors} minPassword={minPassword} />
          {asksPasscode ? <PasscodeFields error={errors?.passcode} /> : null}
          <CheckField name="remember" label={t("staySignedIn")} />
          <FormActions>
            <SubmitButton kind="primary">{t("setPassword")}</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

function PasscodeFields({ error }: { error: string | undefined }) {
  const t = useWords(identityWords);
  return (
    <>
      <TextField
        name="passcode"
        label={t("passcodeOrRecovery")}
        error={error}
        autocomplete="one-time-code"
        maxLength={20}
        required
        code
      />
      <CheckField name="has_scratch_code" label={t("isRecoveryCode")} />
    </>
  );
}

export interface ActivateProps {
  readonly shell: Shell;
  readonly code: string;
  readonly login: string;
  readonly errors?: FormErrors<"password">;
}

/** `GET/POST /user/activate?code=`: the password proves that the reader of the email also created the account. */
export function ActivatePage({ shell, code, login, errors }: ActivateProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("activateTitle")]} width="narrow" noIndex>
      <GatePage title={t("activateTitle")} lead={t("activateLead", { name: login })}>
        <form class="form" method="post" action="/user/activate">
          <ErrorSummary errors={errors} labels={{ password: t("password") }} />
          <input type="hidden" name="code" value={code} />
          <TextField
            name="password"
            label={t("password")}
            type="password"
            error={errors?.password}
            autocomplete="current-password"
            autofocus
            required
          />
          <FormActions>
            <SubmitButton kind="primary">{t("activate")}</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

/** `GET /user/activate_email?code=&email=`: a GET changes nothing, because mail programs open links on their own. */
export function ConfirmAddressPage(props: { shell: Shell; code: string; email: string; name: string }) {
  const { code, email, name, shell } = props;
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("confirmTitle")]} width="narrow" noIndex>
      <GatePage title={t("confirmTitle")}>
        <form class="form" method="post" action="/user/activate_email">
          <p>{t("confirmQuestion", { email, name })}</p>
          <input type="hidden" name="code" value={code} />
          <FormActions>
            <SubmitButton kind="primary">{t("confirm")}</SubmitButton>
            <a href="/user/settings/account">{t("notNow")}</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
