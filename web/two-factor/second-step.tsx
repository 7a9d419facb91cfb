import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { GatePage } from "../identity/gate.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { twoFactorWords } from "./words/index.ts";

export interface SecondStepProps {
  readonly shell: Shell;
  readonly login: string;
  readonly way: "passcode" | "recovery-code" | "passkey";
  /** The account's second factors. */
  readonly factors: { readonly passcodes: boolean; readonly passkeys: boolean };
  readonly errors?: FormErrors<"passcode" | "token">;
}

const WAYS = {
  passcode: "/user/two_factor",
  "recovery-code": "/user/two_factor/scratch",
  passkey: "/user/webauthn",
} as const;

/** `/user/two_factor`, `/user/two_factor/scratch`, `/user/webauthn`: the step after the password. */
export function SecondStepPage({ shell, login, way, factors, errors }: SecondStepProps) {
  const t = useWords(twoFactorWords);
  return (
    <PageFrame shell={shell} title={[t("secondStep")]} width="narrow" noIndex>
      <GatePage title={t("secondStep")} lead={t("secondStepLead", { name: login })}>
        {way === "passkey" ? <PasskeyStep /> : <CodeStep way={way} errors={errors} />}
        <ul class="gate-other gate-ways">
          {factors.passkeys && way !== "passkey" ? (
            <li>
              <a href={WAYS.passkey}>{t("usePasskey")}</a>
            </li>
          ) : null}
          {factors.passcodes && way !== "passcode" ? (
            <li>
              <a href={WAYS.passcode}>{t("usePasscode")}</a>
            </li>
          ) : null}
          {way === "recovery-code" ? null : (
            <li>
              <a href={WAYS["recovery-code"]}>{t("useRecoveryCode")}</a>
            </li>
          )}
          <li>
            <a href="/user/login">{t("otherAccount")}</a>
          </li>
        </ul>
      </GatePage>
    </PageFrame>
  );
}

function CodeStep({
  way,
  errors,
}: {
  way: "passcode" | "recovery-code";
  errors: FormErrors<"passcode" | "token"> | undefined;
}) {
  const t = useWords(twoFactorWords);
  return (
    <form class="form" method="post" action={WAYS[way]}>
      <ErrorSummary errors={errors} />
      {way === "passcode" ? (
        <TextField
          name="passcode"
          label={t("passcode")}
          hint={t("passcodeHint")}
          error={errors?.passcode}
          autocomplete="one-time-code"
          inputmode="numeric"
          maxLength={10}
          autofocus
          required
          code
        />
      ) : (
        <TextField
          name="token"
          label={t("recoveryCode")}
          hint={t("recoveryCodeHint")}
          error={errors?.token}
          autocomplete="off"
          maxLength={20}
          autofocus
          required
          code
        />
      )}
      <FormActions>
        <SubmitButton kind="primary">{t("verify")}</SubmitButton>
      </FormActions>
    </form>
  );
}

function PasskeyStep() {
  const t = useWords(twoFactorWords);
  return (
    <div class="form">
      <p>{t("passkeyLead")}</p>
      <noscript>
        <p>{t("passkeyScript")}</p>
      </noscript>
      <PasskeyButton kind="primary" options="/user/webauthn/assertion" answer="/user/webauthn/assertion">
        {t("usePasskey")}
      </PasskeyButton>
    </div>
  );
}

/** Asks the browser for a passkey, and shows errors below. Hidden in browsers without passkeys. */
export function PasskeyButton(props: {
  kind?: "primary";
  options: string;
  answer: string;
  /** The form whose fields are sent along. */
  form?: string;
  children: string;
}) {
  const t = useWords(twoFactorWords);
  return (
    <div class="passkey-way" data-needs-passkeys="" hidden>
      <p class="field-error" data-passkey-error="" role="alert" hidden />
      <button
        type="button"
        class={props.kind === "primary" ? "btn btn-primary" : "btn"}
        data-passkey=""
        data-options={props.options}
        data-answer={props.answer}
        data-form={props.form}
        data-failed={t("passkeyFailed")}
      >
        <Icon name="key" /> {props.children}
      </button>
    </div>
  );
}
