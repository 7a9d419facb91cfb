import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors, type FormState, TextField } from "../components/form.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { GatePage } from "./gate.tsx";

type AccountField = "user_name" | "email" | "password" | "retype";
export type RegisterForm = FormState<"user_name" | "email"> & { readonly errors?: FormErrors<AccountField> };

const LABELS = { user_name: "User name", email: "E-mail address", password: "Password", retype: "Password again" };

function AccountFields({ form, minPassword }: { form: RegisterForm; minPassword: number }) {
  return (
    <>
      <TextField
        name="user_name"
        label={LABELS.user_name}
        value={form.values?.user_name}
        error={form.errors?.user_name}
        hint="Letters, digits, dash, dot and underscore. It is part of your addresses."
        autocomplete="username"
        maxLength={40}
        autofocus
        required
        code
      />
      <TextField
        name="email"
        label={LABELS.email}
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
}: {
  errors: FormErrors<"password" | "retype"> | undefined;
  minPassword: number;
}) {
  return (
    <>
      <TextField
        name="password"
        label={LABELS.password}
        type="password"
        error={errors?.password}
        hint={`At least ${minPassword} characters. A long one you can remember beats a short one full of signs.`}
        autocomplete="new-password"
        minLength={minPassword}
        required
      />
      <TextField
        name="retype"
        label={LABELS.retype}
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
  /** Shortest password, in characters. */
  readonly minPassword: number;
}

/** `GET/POST /user/sign_up`; says so when registration is closed. */
export function RegisterPage({ shell, form, minPassword }: RegisterProps) {
  return (
    <PageFrame shell={shell} title={["Register"]} width="narrow" noIndex>
      <GatePage title="Create an account">
        {shell.site.registrationOpen ? (
          <form class="form" method="post" action="/user/sign_up">
            <ErrorSummary errors={form.errors} labels={LABELS} />
            <AccountFields form={form} minPassword={minPassword} />
            <FormActions>
              <SubmitButton kind="primary">Create account</SubmitButton>
            </FormActions>
          </form>
        ) : (
          <p>Registration is disabled on this site. Ask its administrator for an account.</p>
        )}
        <p class="gate-other">
          Already have an account? <a href="/user/login">Sign in</a>
        </p>
      </GatePage>
    </PageFrame>
  );
}

export interface SetupProps {
  readonly shell: Shell;
  readonly form: FormState<"user_name" | "email" | "token"> & { readonly errors?: FormErrors<AccountField | "token"> };
  readonly minPassword: number;
  /** The form's own address. */
  readonly action: string;
}

/** First run: the first account, whose owner proves with the token from the console that the server is theirs. */
export function SetupPage({ shell, form, minPassword, action }: SetupProps) {
  return (
    <PageFrame shell={shell} title={["Set up"]} width="narrow" noIndex>
      <GatePage
        title="Light the hearth"
        lead="This server is new. Create its first account; it will be the administrator."
      >
        <form class="form" method="post" action={action}>
          <ErrorSummary errors={form.errors} labels={{ token: "Set-up token", ...LABELS }} />
          <TextField
            name="token"
            label="Set-up token"
            value={form.values?.token}
            error={form.errors?.token}
            hint="The server wrote it to its console when it started. It proves that this server is yours."
            autocomplete="off"
            required
            code
          />
          <AccountFields form={form} minPassword={minPassword} />
          <FormActions>
            <SubmitButton kind="primary">Create administrator</SubmitButton>
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

/** `GET/POST /user/settings/change_password`: all an account may see that must change its password. */
export function ChangePasswordPage({ shell, form, minPassword }: ChangePasswordProps) {
  return (
    <PageFrame shell={shell} title={["Change password"]} width="narrow" noIndex>
      <GatePage
        title="Choose a new password"
        lead="Someone else knows the present one. Choose your own before you go on."
      >
        <form class="form" method="post" action="/user/settings/change_password">
          <ErrorSummary errors={form.errors} labels={LABELS} />
          <NewPassword errors={form.errors} minPassword={minPassword} />
          <FormActions>
            <SubmitButton kind="primary">Set password</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
