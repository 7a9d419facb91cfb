import { ValidationFailed } from "../../src/kernel/errors.ts";
import { type HookEvent, hookEvents } from "../../src/webhooks/event-names.ts";
import type { HookEdit, HookMode, HookSecrets, HookType, HookValues, Webhook } from "../../src/webhooks/types.ts";
import {
  branchFilterOf,
  contentTypeOf,
  hookNameOf,
  hookSecretOf,
  hookUrlOf,
  settingsOf,
  tokenOf,
  typeFields,
} from "../../src/webhooks/values.ts";
import type { Form } from "../form-data.ts";
import type { HookForm } from "./form.tsx";

/** Conversions between the form of a webhook and its values (contract webhooks.md 1.11). */

const modes: Readonly<Record<string, HookMode>> = {
  push_only: "push",
  send_everything: "everything",
  choose_events: "chosen",
};
const modeNames: Readonly<Record<HookMode, string>> = {
  push: "push_only",
  everything: "send_everything",
  chosen: "choose_events",
};

/** Target URLs of types where the user does not enter one. */
const ownAddresses: Partial<Record<HookType, (form: Form) => string>> = {
  telegram: () => "https://api.telegram.org/",
  matrix: (form) => form.text("homeserver_url"),
  packagist: () => "https://packagist.org/",
};

type Shared = Omit<HookValues, "type" | "secrets">;

export function newForm(type: HookType): HookForm {
  const values = { http_method: "POST", content_type: "1", events: modeNames.push, message_type: "1" };
  return { type, values, events: ["push"], isActive: true, hasSecret: false, hasAuthorization: false, hasToken: false };
}

export function formOf(hook: Webhook): HookForm {
  const { branchFilter, contentType, events, method, mode, name, settings, type, url } = hook;
  return {
    type,
    values: {
      ...settings,
      name,
      payload_url: url,
      http_method: method,
      content_type: contentType === "json" ? "1" : "2",
      events: modeNames[mode],
      branch_filter: branchFilter,
    },
    events: mode === "push" ? ["push"] : events,
    isActive: hook.isActive,
    hasSecret: hook.hasSecret,
    hasAuthorization: hook.hasAuthorization,
    hasToken: hook.hasToken,
  };
}

/** The typed values, to be shown again; secrets have to be retyped. */
export function typedForm(type: HookType, form: Form): HookForm {
  const names = ["name", "payload_url", "http_method", "content_type", "events", "branch_filter"];
  const values = [...names, ...typeFields[type].settings].map((name) => [name, form.text(name).slice(0, 2048)]);
  return {
    ...newForm(type),
    values: Object.fromEntries(values),
    events: ticked(form),
    isActive: form.checked("active"),
  };
}

/** @throws ValidationFailed, BadRequest for an invalid value */
export function hookFrom(type: HookType, form: Form): HookValues {
  const { required, token } = typeFields[type];
  for (const name of required)
    if (form.text(name) === "") throw new ValidationFailed("webhook.option-missing", { field: name, params: { name } });
  const secrets: HookSecrets = {
    secret: hookSecretOf(form.exact("secret"), "secret"),
    authorization: hookSecretOf(form.text("authorization_header"), "authorization_header"),
    token: (token && tokenOf(type, { [token]: form.text(token) })) || "",
  };
  return { ...sharedFrom(type, form), type, secrets };
}

/**
 * Secrets left empty are kept, unless they are to be removed. @throws ValidationFailed, BadRequest for an invalid value
 */
export function editFrom(type: HookType, form: Form): HookEdit {
  const { token } = typeFields[type];
  const secret = hookSecretOf(form.exact("secret"), "secret");
  const authorization = hookSecretOf(form.text("authorization_header"), "authorization_header");
  const typedToken = token && tokenOf(type, { [token]: form.text(token) });
  return {
    ...sharedFrom(type, form),
    secrets: {
      ...(secret !== "" || form.checked("remove_secret") ? { secret } : {}),
      ...(authorization !== "" || form.checked("remove_authorization") ? { authorization } : {}),
      ...(typedToken ? { token: typedToken } : {}),
    },
  };
}

function sharedFrom(type: HookType, form: Form): Shared {
  const given = Object.fromEntries(typeFields[type].settings.map((name) => [name, form.text(name)]));
  return {
    name: hookNameOf(form.text("name")),
    url: hookUrlOf(ownAddresses[type]?.(form) ?? form.text("payload_url")),
    method: form.text("http_method") === "GET" ? "GET" : "POST",
    contentType: contentTypeOf(form.text("content_type") === "2" ? "form" : "json"),
    settings: settingsOf(type, given),
    mode: modes[form.text("events")] ?? "push",
    events: ticked(form),
    branchFilter: branchFilterOf(form.text("branch_filter")),
    isActive: form.checked("active"),
  };
}

function ticked(form: Form): HookEvent[] {
  // The mode's choice is named `events`; each event has its own checkbox.
  return hookEvents.filter((event) => form.checked(event));
}
