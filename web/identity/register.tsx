import type { Translate } from "../../src/language/catalogue.ts";
import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors, type FormState, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { GatePage } from "./gate.tsx";
import { identityWords } from "./words/index.ts";

type AccountField = "user_name" | "email" | "password" | "retype";
export type RegisterForm = FormState<"user_name" | "email"> & { readonly errors?: FormErrors<AccountField> };

function labelsOf(t: Translate<typeof identityWords.source>) {
  return { user_name: t("userName"), email: t("email"), password: t("password"), retype: t("passwordAgain") };
}

function AccountFields({ form, minPassword }: { form: RegisterForm; minPassword: number }) {
  const t = useWords(identityWords);
  return (
    <>
      <TextField
        name="user_name"
        label={t("userName")}
        value={form.values?.user_name}
        error={form.errors?.user_name}
        hint={t("userNameHint")}
        autocomplete="username"
        maxLength={40}
        autofocus
        required
        code
      />
      <TextField
        name="email"
        label={t("email")}
        type="email"
        value={form.values?.email}
        error={form.errors?.email}
        autocomplete="email"
        required
      />
      <NewPassword errors={form.errors} minPassword={minPassword} />
    </>
  );
}

/** A new password, twice. */
export function NewPassword({
  errors,
  minPassword,
  replaces,
}: {
  errors: FormErrors<"password" | "retype"> | undefined;
  minPassword: number;
  /** It replaces an old one. */
  replaces?: boolean;
}) {
  const t = useWords(identityWords);
  return (
    <>
      <TextField
        name="password"
        label={t(replaces ? "newPassword" : "password")}
        type="password"
        error={errors?.password}
        hint={t("passwordHint", { count: minPassword })}
        autocomplete="new-password"
        minLength={minPassword}
        required
      />
      <TextField
        name="retype"
        label={t("passwordAgain")}
        type="password"
        error={errors?.retype}
        autocomplete="new-password"
        required
      />
    </>
  );
}

export interface RegisterProps {
  readonly shell: Shell;
  readonly form: RegisterForm;
  /** Where to go afterwards. */
  readonly redirectTo?: string | undefined;
  /** Minimum length of passwords, in characters. */
  readonly minPassword: number;
}

/** `GET/POST /user/sign_up`; shows a message when registration is closed. */
export function RegisterPage({ shell, form, minPassword, redirectTo }: RegisterProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("register")]} width="narrow" noIndex>
      <GatePage title={t("createAnAccount")}>
        {shell.site.registrationOpen ? (
          <form class="form" method="post" action="/user/sign_up">
            {redirectTo ? <input type="hidden" name="redirect_to" value={redirectTo} /> : null}
            <ErrorSummary errors={form.errors} labels={labelsOf(t)} />
            <AccountFields form={form} minPassword={minPassword} />
            <FormActions>
              <SubmitButton kind="primary">{t("createAccount")}</SubmitButton>
            </FormActions>
          </form>
        ) : (
          <p>{t("registrationClosed")}</p>
        )}
        <p class="gate-other">{t.jsx("haveAccount", { link: (inner) => <a href="/user/login">{inner}</a> })}</p>
      </GatePage>
    </PageFrame>
  );
}

export interface SetupProps {
  readonly shell: Shell;
  readonly form: FormState<"user_name" | "email" | "token"> & { readonly errors?: FormErrors<AccountField | "token"> };
  readonly minPassword: number;
  /** The form's own URL. */
  readonly action: string;
}

/** First run: creates the first account; the token from the console proves that its user owns the server. */
export function SetupPage({ shell, form, minPassword, action }: SetupProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("setUp")]} width="narrow" noIndex>
      <GatePage title={t("setUpTitle")} lead={t("setUpLead")}>
        <form class="form" method="post" action={action}>
          <ErrorSummary errors={form.errors} labels={{ token: t("setUpToken"), ...labelsOf(t) }} />
          <TextField
            name="token"
            label={t("setUpToken")}
            value={form.values?.token}
            error={form.errors?.token}
            hint={t("setUpTokenHint")}
            autocomplete="off"
            required
            code
          />
          <AccountFields form={form} minPassword={minPassword} />
          <FormActions>
            <SubmitButton kind="primary">{t("createAdministrator")}</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

export interface ChangePasswordProps {
  readonly shell: Shell;
  readonly form: { readonly errors?: FormErrors<"password" | "retype"> };
  readonly minPassword: number;
}

/** `GET/POST /user/settings/change_password`: the only page for an account that must change its password. */
export function ChangePasswordPage({ shell, form, minPassword }: ChangePasswordProps) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("changePassword")]} width="narrow" noIndex>
      <GatePage title={t("newPasswordTitle")} lead={t("newPasswordLead")}>
        <form class="form" method="post" action="/user/settings/change_password">
          <ErrorSummary errors={form.errors} labels={labelsOf(t)} />
          <NewPassword errors={form.errors} minPassword={minPassword} />
          <FormActions>
            <SubmitButton kind="primary">{t("setPassword")}</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
