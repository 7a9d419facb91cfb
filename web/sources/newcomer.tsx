import { CancelLink, SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { GatePage } from "../identity/gate.tsx";
import { identityWords } from "../identity/words/index.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { sourceWords } from "./words/index.ts";

export interface NewcomerProps {
  readonly shell: Shell;
  /** The provider, and its name for the user. */
  readonly source: string;
  readonly name: string;
  /** The account that is signed in. */
  readonly own?: string;
  /** undefined: accounts cannot be linked, or cannot be created. */
  readonly signIn: FormState<"user_name"> | undefined;
  readonly signUp: FormState<"user_name" | "email"> | undefined;
}

/** `GET /user/link_account`. */
export function NewcomerPage({ shell, source, name, own, signIn, signUp }: NewcomerProps) {
  const t = useWords(sourceWords);
  return (
    <PageFrame shell={shell} title={[t("linkAccount")]} width="narrow" noIndex>
      <GatePage title={t("linkAccount")} lead={t("youAre", { source, name })}>
        {own ? <OwnForm source={source} own={own} /> : null}
        {!own && signIn ? <SignInForm form={signIn} /> : null}
        {signUp ? <SignUpForm form={signUp} isAlone={!signIn} /> : null}
      </GatePage>
    </PageFrame>
  );
}

function OwnForm({ source, own }: { source: string; own: string }) {
  const t = useWords(sourceWords);
  return (
    <form class="form" method="post" action="/user/link_account_signin">
      <p>{t("linkOwnLead", { source, account: own })}</p>
      <FormActions>
        <SubmitButton kind="primary">{t("linkTo", { account: own })}</SubmitButton>
        <CancelLink href="/user/settings/security" />
      </FormActions>
    </form>
  );
}

function SignInForm({ form }: { form: FormState<"user_name"> }) {
  const t = useWords(sourceWords);
  const identity = useWords(identityWords);
  return (
    <form class="form" method="post" action="/user/link_account_signin">
      <h2 class="gate-part">{t("haveAccount")}</h2>
      <ErrorSummary errors={form.errors} />
      <TextField
        id="f-link-user_name"
        name="user_name"
        label={identity("nameOrEmail")}
        value={form.values?.user_name}
        autocomplete="username"
        required
        code
      />
      <TextField
        name="password"
        label={identity("password")}
        type="password"
        autocomplete="current-password"
        required
      />
      <CheckField name="remember" label={identity("staySignedIn")} />
      <FormActions>
        <SubmitButton kind="primary">{t("linkThis")}</SubmitButton>
      </FormActions>
    </form>
  );
}

function SignUpForm({ form, isAlone }: { form: FormState<"user_name" | "email">; isAlone: boolean }) {
  const t = useWords(sourceWords);
  const { values, errors } = form;
  const labels = { user_name: t("userName"), email: t("email") };
  return (
    <form class={isAlone ? "form" : "form gate-other-form"} method="post" action="/user/link_account_signup">
      <h2 class="gate-part">{t("noAccountYet")}</h2>
      <ErrorSummary errors={errors} labels={labels} />
      <TextField
        name="user_name"
        label={labels.user_name}
        value={values?.user_name}
        error={errors?.user_name}
        maxLength={40}
        required
        code
      />
      <TextField name="email" label={labels.email} type="email" value={values?.email} error={errors?.email} required />
      <FormActions>
        <SubmitButton>{t("makeAccount")}</SubmitButton>
      </FormActions>
    </form>
  );
}
