import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { eventsNamed } from "./event-names.ts";
import { type HookEdit, type HookType, type HookValues, hookTypes } from "./types.ts";
import {
  branchFilterOf,
  contentTypeOf,
  hookNameOf,
  hookSecretOf,
  hookTypeOf,
  hookUrlOf,
  settingsOf,
  tokenOf,
  typeFields,
} from "./values.ts";

const config = Type.Record(Type.String(), Type.Union([Type.String(), Type.Boolean(), Type.Number(), Type.Null()]), {
  description:
    "url, content_type (json or form), secret, and settings specific to the type; for administrators also is_system_webhook.",
});
const events = Type.Optional(
  Type.Array(Type.String({ description: "Name of an event." }), {
    description: "The events to send; push if absent or empty. Unknown names are ignored.",
  }),
);
const fields = {
  events,
  branch_filter: maybeText("Glob for branches and tags; empty for all."),
  authorization_header: maybeText("The complete header value; it is never shown again."),
  name: maybeText("A name for people."),
};

export const CreateHookBody = Type.Object(
  {
    type: Type.String({ description: `Type of the receiver: ${hookTypes.join(", ")}.`, field: "Type" }),
    config,
    active: maybeYesNo("Whether it is active."),
    ...fields,
  },
  { $id: "CreateHookOption", description: "A new webhook." },
);

export const EditHookBody = Type.Object(
  { config: Type.Optional(config), active: maybeYesNo("Whether it is active."), ...fields },
  {
    $id: "EditHookOption",
    description:
      "Changes to a webhook. Events, branch filter and authorization header that are left out fall back to push, all branches, and none.",
  },
);

type Config = Readonly<Record<string, string>>;

/** Clients also send numbers and booleans. */
function configOf(given: Static<typeof config> | undefined): Config {
  return Object.fromEntries(
    Object.entries(given ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

/** @throws ValidationFailed, BadRequest in the order clients expect (contract webhooks.md 1.6) */
export function newHookOf(body: Static<typeof CreateHookBody>): HookValues {
  const given = configOf(body.config);
  const type = hookTypeOf(body.type);
  const contentType = contentTypeOf(required(given, "url", "content_type"));
  const url = hookUrlOf(given["url"] ?? "");
  systemFlagOf(body);
  if (type === "slack") required(given, "channel");
  return {
    type,
    url,
    contentType,
    method: "POST",
    settings: settingsOf(type, given),
    name: hookNameOf(body.name ?? ""),
    mode: "chosen",
    events: eventsNamed(body.events ?? []),
    branchFilter: branchFilterOf(body.branch_filter ?? ""),
    isActive: body.active ?? false,
    secrets: {
      secret: hookSecretOf(given["secret"] ?? "", "secret"),
      authorization: hookSecretOf(body.authorization_header ?? "", "authorization_header"),
      token: tokenOf(type, given) ?? "",
    },
  };
}

/** @throws ValidationFailed, BadRequest */
export function hookEditOf(type: HookType, body: Static<typeof EditHookBody>): HookEdit {
  const given = configOf(body.config);
  const { content_type, secret, url } = given;
  const token = tokenOf(type, given);
  // Giving one setting of a type replaces all of them.
  const hasSettings = typeFields[type].settings.some((name) => given[name] !== undefined);
  return {
    ...(url === undefined ? {} : { url: hookUrlOf(url) }),
    ...(content_type === undefined ? {} : { contentType: contentTypeOf(content_type) }),
    ...(hasSettings ? { settings: settingsOf(type, given) } : {}),
    ...(body.name === undefined ? {} : { name: hookNameOf(body.name) }),
    ...(body.active === undefined ? {} : { isActive: body.active }),
    mode: "chosen",
    events: eventsNamed(body.events ?? []),
    branchFilter: branchFilterOf(body.branch_filter ?? ""),
    secrets: {
      ...(secret === undefined ? {} : { secret: hookSecretOf(secret, "secret") }),
      ...(token === undefined ? {} : { token }),
      authorization: hookSecretOf(body.authorization_header ?? "", "authorization_header"),
    },
  };
}

const yes = ["1", "t", "T", "TRUE", "true", "True"];
const no = ["", "0", "f", "F", "FALSE", "false", "False"];

/**
 * Whether an administrator creates a hook for the whole site rather than a default one. @throws ValidationFailed not
 * a boolean
 */
export function systemFlagOf(body: Static<typeof CreateHookBody>): boolean {
  const given = configOf(body.config)["is_system_webhook"] ?? "";
  if (yes.includes(given)) return true;
  if (no.includes(given)) return false;
  throw new ValidationFailed("webhook.bad-system-flag", { field: "is_system_webhook" });
}

/** @returns the last of them @throws ValidationFailed one is missing */
function required(given: Config, ...names: readonly string[]): string {
  let value = "";
  for (const name of names) {
    const found = given[name];
    if (found === undefined) throw new ValidationFailed("webhook.option-missing", { field: name, params: { name } });
    value = found;
  }
  return value;
}
