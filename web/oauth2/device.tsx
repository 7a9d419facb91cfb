import { SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Notice } from "../components/surface.tsx";
import { GatePage } from "../identity/gate.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { type AskingApplication, ConsentButtons, WhatItMay, WhoAsks } from "./consent.tsx";
import { oauth2Words } from "./words/index.ts";

/** `GET /login/device`: asks for the code shown by a program without a browser. */
export function DeviceCodePage({ shell, form }: { shell: Shell; form: FormState<"user_code"> }) {
  const t = useWords(oauth2Words);
  return (
    <PageFrame shell={shell} title={[t("connectDevice")]} width="narrow" noIndex>
      <GatePage title={t("connectDevice")} lead={t("connectDeviceLead")}>
        <form class="form" method="post" action="/login/device">
          <ErrorSummary errors={form.errors} labels={{ user_code: t("deviceCode") }} />
          <TextField
            name="user_code"
            label={t("deviceCode")}
            value={form.values?.user_code}
            error={form.errors?.user_code}
            autocomplete="off"
            maxLength={20}
            autofocus
            required
            code
          />
          <FormActions>
            <SubmitButton kind="primary">{t("continue")}</SubmitButton>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}

export interface DeviceConsentProps {
  readonly shell: Shell;
  readonly application: AskingApplication;
  readonly userCode: string;
  readonly scope: string;
}

/** `POST /login/device`: which program shows the code, and what it may do once authorized. */
export function DeviceConsentPage({ shell, application, userCode, scope }: DeviceConsentProps) {
  const t = useWords(oauth2Words);
  const title = t("letIn", { name: application.name });
  return (
    <PageFrame shell={shell} title={[title]} width="narrow" noIndex>
      <GatePage title={title}>
        <WhoAsks application={application} login={shell.viewer?.name ?? ""} />
        <WhatItMay scope={scope} />
        <Notice kind="warning">
          <p>{t.jsx("onlyYourDevice", { code: userCode, b: (inner) => <strong class="mono">{inner}</strong> })}</p>
        </Notice>
        <form class="form" method="post" action="/login/device/answer">
          <input type="hidden" name="user_code" value={userCode} />
          <ConsentButtons />
        </form>
      </GatePage>
    </PageFrame>
  );
}
