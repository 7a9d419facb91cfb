import { SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { GatePage } from "./gate.tsx";

export interface SignInProps {
  readonly shell: Shell;
  readonly form: FormState<"user_name">;
  /** Where to go afterwards; a checked path of this site. */
  readonly redirectTo?: string;
  readonly remember?: boolean;
}

/** `GET/POST /user/login`. */
export function SignInPage({ shell, form, redirectTo, remember }: SignInProps) {
  return (
    <PageFrame shell={shell} title={["Sign in"]} width="narrow" noIndex>
      <GatePage title="Sign in">
        <form class="form" method="post" action="/user/login">
          <ErrorSummary errors={form.errors} />
          {redirectTo ? <input type="hidden" name="redirect_to" value={redirectTo} /> : null}
          <TextField
            name="user_name"
            label="User name or e-mail address"
            value={form.values?.user_name}
            autocomplete="username"
            autofocus={!form.values?.user_name}
            required
            code
          />
          <TextField name="password" label="Password" type="password" autocomplete="current-password" required />
          <CheckField name="remember" label="Stay signed in on this device" checked={remember ?? false} />
          <FormActions>
            <SubmitButton kind="primary">Sign in</SubmitButton>
          </FormActions>
        </form>
        <p class="gate-other">
          <a href="/user/forgot_password">Forgotten your password?</a>
        </p>
        {shell.site.registrationOpen ? (
          <p class="gate-other">
            New here? <a href="/user/sign_up">Create an account</a>
          </p>
        ) : null}
      </GatePage>
    </PageFrame>
  );
}

/** `GET /user/logout`: signing out by a link takes a click, because a GET changes nothing. */
export function SignOutPage({ shell }: { shell: Shell }) {
  return (
    <PageFrame shell={shell} title={["Sign out"]} width="narrow" noIndex>
      <GatePage title="Sign out?">
        <form class="form" method="post" action="/user/logout">
          <p>You are signed in as {shell.viewer?.name ?? "no one"}.</p>
          <FormActions>
            <SubmitButton kind="primary" icon="sign-out">
              Sign out
            </SubmitButton>
            <a href="/">Stay signed in</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
