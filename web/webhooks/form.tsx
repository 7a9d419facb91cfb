import { type HookEvent, hookEvents } from "../../src/webhooks/event-names.ts";
import { type HookType, isNative } from "../../src/webhooks/types.ts";
import { typeFields } from "../../src/webhooks/values.ts";
import { SubmitButton } from "../components/button.tsx";
import {
  CheckField,
  ErrorSummary,
  FormActions,
  type FormErrors,
  RadioField,
  SelectField,
  TextField,
} from "../components/form.tsx";
import { useWords } from "../language.ts";
import { webhooksWords } from "./words/index.ts";

/** The values in the form of a webhook, which never include secrets. */
export interface HookForm {
  readonly type: HookType;
  readonly values: Readonly<Record<string, string>>;
  readonly events: readonly HookEvent[];
  readonly isActive: boolean;
  readonly hasSecret: boolean;
  readonly hasAuthorization: boolean;
  readonly hasToken: boolean;
  readonly errors?: FormErrors;
}

const EXAMPLE_HEADER = "Bearer 1a2b3c";
const EXAMPLE_FILTER = "{main,release/*}";

const settingLabels = {
  channel: "channel",
  username: "senderName",
  icon_url: "iconUrl",
  color: "color",
  bot_token: "botToken",
  chat_id: "chatId",
  thread_id: "threadId",
  homeserver_url: "homeserver",
  room_id: "roomId",
  message_type: "messageType",
  access_token: "accessToken",
  api_token: "apiToken",
  package_url: "packageUrl",
} as const;

const isSetting = (name: string): name is keyof typeof settingLabels => name in settingLabels;

/** Types whose URL is derived from their settings. */
const ownAddress: readonly HookType[] = ["telegram", "matrix", "packagist"];

export function HookFields({ action, form, submit }: { action: string; form: HookForm; submit: string }) {
  const t = useWords(webhooksWords);
  const { errors, isActive, type, values } = form;
  return (
    <form class="form" method="post" action={action}>
      <ErrorSummary errors={errors} labels={useFieldLabels(type)} />
      <TextField
        name="name"
        label={t("name")}
        hint={t("nameHint")}
        value={values["name"]}
        error={errors?.["name"]}
        maxLength={255}
      />
      {ownAddress.includes(type) ? null : (
        <TextField
          name="payload_url"
          type="url"
          label={t("url")}
          value={values["payload_url"]}
          error={errors?.["payload_url"]}
          maxLength={2048}
          required
          code
        />
      )}
      {isNative(type) ? <HowItIsSent values={values} /> : null}
      <TypeSettings form={form} />
      <Secrets form={form} />
      <RadioField
        name="events"
        label={t("events")}
        value={values["events"]}
        choices={[
          { value: "push_only", label: t("pushOnly") },
          { value: "send_everything", label: t("everything") },
          { value: "choose_events", label: t("chosen") },
        ]}
      />
      <ChosenEvents form={form} />
      <TextField
        name="branch_filter"
        label={t("branchFilter")}
        hint={t("branchFilterHint", { example: EXAMPLE_FILTER })}
        value={values["branch_filter"]}
        error={errors?.["branch_filter"]}
        maxLength={1024}
        code
      />
      <CheckField name="active" label={t("active")} hint={t("activeHint")} checked={isActive} />
      <FormActions>
        <SubmitButton kind="primary">{submit}</SubmitButton>
      </FormActions>
    </form>
  );
}

function useFieldLabels(type: HookType): Record<string, string> {
  const t = useWords(webhooksWords);
  const { settings, token } = typeFields[type];
  const own = [...settings, ...(token ? [token] : [])].filter(isSetting);
  return {
    name: t("name"),
    payload_url: t("url"),
    branch_filter: t("branchFilter"),
    secret: t("secret"),
    authorization_header: t("authorization"),
    ...Object.fromEntries(own.map((name) => [name, t(settingLabels[name])])),
  };
}

function HowItIsSent({ values }: { values: HookForm["values"] }) {
  const t = useWords(webhooksWords);
  const same = (value: string) => ({ value, label: value });
  const types = ["application/json", "application/x-www-form-urlencoded"].map((label, at) => ({
    value: String(at + 1),
    label,
  }));
  return (
    <>
      <SelectField
        name="http_method"
        label={t("method")}
        value={values["http_method"]}
        choices={["POST", "GET"].map(same)}
      />
      <SelectField name="content_type" label={t("contentType")} value={values["content_type"]} choices={types} />
    </>
  );
}

/** Fields only this type has. */
function TypeSettings({ form: { errors, hasToken, type, values } }: { form: HookForm }) {
  const t = useWords(webhooksWords);
  const { required, settings, token } = typeFields[type];
  const kinds = [
    { value: "1", label: t("notice") },
    { value: "2", label: t("message") },
  ];
  const labelOf = (name: keyof typeof settingLabels) =>
    name === "username" && type === "packagist" ? t("packagistUser") : t(settingLabels[name]);
  return (
    <>
      {settings
        .filter(isSetting)
        .map((name) =>
          name === "message_type" ? (
            <SelectField name={name} label={labelOf(name)} value={values[name]} choices={kinds} />
          ) : (
            <TextField
              name={name}
              label={labelOf(name)}
              value={values[name]}
              error={errors?.[name]}
              required={required.includes(name)}
              maxLength={1024}
            />
          ),
        )}
      {token !== undefined && isSetting(token) ? (
        <TextField
          name={token}
          type="password"
          label={labelOf(token)}
          {...(hasToken ? { hint: t("kept") } : {})}
          error={errors?.[token]}
          required={required.includes(token) && !hasToken}
          autocomplete="off"
          maxLength={1024}
        />
      ) : null}
    </>
  );
}

function Secrets({ form: { errors, hasAuthorization, hasSecret } }: { form: HookForm }) {
  const t = useWords(webhooksWords);
  return (
    <>
      <TextField
        name="secret"
        type="password"
        label={t("secret")}
        hint={hasSecret ? t("kept") : t("secretHint")}
        error={errors?.["secret"]}
        autocomplete="off"
        maxLength={1024}
      />
      {hasSecret ? <CheckField name="remove_secret" label={t("removeSecret")} /> : null}
      <TextField
        name="authorization_header"
        type="password"
        label={t("authorization")}
        hint={hasAuthorization ? t("kept") : t("authorizationHint", { example: EXAMPLE_HEADER })}
        error={errors?.["authorization_header"]}
        autocomplete="off"
        maxLength={1024}
      />
      {hasAuthorization ? <CheckField name="remove_authorization" label={t("removeAuthorization")} /> : null}
    </>
  );
}

function ChosenEvents({ form }: { form: HookForm }) {
  const t = useWords(webhooksWords);
  return (
    <details open={form.values["events"] === "choose_events"}>
      <summary>{t("chosenEvents")}</summary>
      <div class="field-row">
        {hookEvents.map((event) => (
          <CheckField
            name={event}
            id={`event-${event}`}
            label={t(`event-${event}`)}
            checked={form.events.includes(event)}
          />
        ))}
      </div>
    </details>
  );
}
