import type { SignInLink } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { PasskeyButton } from "../two-factor/second-step.tsx";
import { twoFactorWords } from "../two-factor/words/index.ts";
import { GatePage } from "./gate.tsx";
import { identityWords } from "./words/index.ts";

export interface SignInProps {
  readonly shell: Shell;
  readonly form: FormState<"user_name">;
  /** Where to go afterwards; a validated path of this site. */
  readonly redirectTo?: string;
  readonly remember?: boolean;
  readonly takesPasskeys: boolean;
  readonly takesPasswords: boolean;
  /** Sign-in options without a password. */
  readonly links: readonly SignInLink[];
}

/** `GET/POST /user/login`. */
export function SignInPage(props: SignInProps) {
  const { shell, form, redirectTo, remember, takesPasskeys, takesPasswords, links } = props;
  const t = useWords(identityWords);
  const passkeyWords = useWords(twoFactorWords);
  return (
    <PageFrame shell={shell} title={[t("signIn")]} width="narrow" noIndex>
      <GatePage title={t("signIn")}>
        {takesPasswords ? (
          <form class="form" id="sign-in" method="post" action="/user/login">
            <ErrorSummary errors={form.errors} />
            {redirectTo ? <input type="hidden" name="redirect_to" value={redirectTo} /> : null}
            <TextField
              name="user_name"
              label={t("nameOrEmail")}
              value={form.values?.user_name}
              autocomplete="username"
              autofocus={!form.values?.user_name}
              required
              code
            />
            <TextField name="password" label={t("password")} type="password" autocomplete="current-password" required />
            <CheckField name="remember" label={t("staySignedIn")} checked={remember ?? false} />
            <FormActions>
              <SubmitButton kind="primary">{t("signIn")}</SubmitButton>
            </FormActions>
          </form>
        ) : (
          <form id="sign-in" method="post" action="/user/login">
            <ErrorSummary errors={form.errors} />
            {redirectTo ? <input type="hidden" name="redirect_to" value={redirectTo} /> : null}
          </form>
        )}
        <SignInLinks links={links} />
        {takesPasskeys ? (
          <PasskeyButton
            form="#sign-in"
            options="/user/webauthn/passkey/assertion"
            answer="/user/webauthn/passkey/login"
          >
            {passkeyWords("signInWithPasskey")}
          </PasskeyButton>
        ) : null}
        {takesPasswords ? (
          <p class="gate-other">
            <a href="/user/forgot_password">{t("forgottenPassword")}</a>
          </p>
        ) : null}
        {shell.site.registrationOpen ? (
          <p class="gate-other">{t.jsx("newHere", { link: (inner) => <a href="/user/sign_up">{inner}</a> })}</p>
        ) : null}
      </GatePage>
    </PageFrame>
  );
}

function SignInLinks({ links }: { links: readonly SignInLink[] }) {
  const t = useWords(identityWords);
  if (links.length === 0) return null;
  return (
    <ul class="gate-links">
      {links.map(({ name, href, icon }) => (
        <li>
          <a class="btn" href={href}>
            {icon ? <img src={icon} alt="" width="16" height="16" /> : null}
            {t("signInWith", { name })}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** `GET /user/logout`: signing out by a link needs a click, because a GET changes nothing. */
export function SignOutPage({ shell }: { shell: Shell }) {
  const t = useWords(identityWords);
  return (
    <PageFrame shell={shell} title={[t("signOut")]} width="narrow" noIndex>
      <GatePage title={t("signOutQuestion")}>
        <form class="form" method="post" action="/user/logout">
          {shell.viewer ? <p>{t("signedInAs", { name: shell.viewer.name })}</p> : null}
          <FormActions>
            <SubmitButton kind="primary" icon="sign-out">
              {t("signOut")}
            </SubmitButton>
            <a href="/">{t("stayHere")}</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
