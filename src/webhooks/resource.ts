import { type Static, Type } from "@sinclair/typebox";
import { text, texts, time, whole, yesNo } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { everyEventType } from "./event-names.ts";
import type { Webhook } from "./types.ts";
import { typeFields } from "./values.ts";

export const HookResource = Type.Object(
  {
    id: whole("Number of the webhook."),
    name: text("A name for people; may be empty."),
    type: text(
      "Type of the receiver: gitea, gogs and forgejo get events as they are, others messages for a chat service.",
    ),
    branch_filter: text(
      "Glob for the branches and tags whose pushes, creations and deletions are sent; empty for all.",
    ),
    config: Type.Record(Type.String(), Type.String(), {
      description: "Address, format and settings specific to the type. Never contains secrets.",
    }),
    events: texts("The events that are sent.", "Name of an event."),
    authorization_header: text("Always empty: it is a secret."),
    active: yesNo("Whether it is active."),
    updated_at: time("When it was last changed."),
    created_at: time("When it was created."),
  },
  { $id: "Hook", description: "A webhook: an address that events are sent to." },
);
export type HookResource = Static<typeof HookResource>;

export function hookResource(hook: Webhook): HookResource {
  return {
    id: hook.id,
    name: hook.name,
    type: hook.type,
    branch_filter: hook.branchFilter,
    config: { url: hook.url, content_type: hook.contentType, ...unset(hook), ...hook.settings },
    events: eventsOf(hook),
    authorization_header: "",
    active: hook.isActive,
    updated_at: rfc3339(hook.updatedAt),
    created_at: rfc3339(hook.createdAt),
  };
}

/** The reference's clients expect every setting of this type, with or without a value (contract webhooks.md 1.2). */
function unset({ type }: Webhook): Readonly<Record<string, string>> {
  return type === "slack" ? Object.fromEntries(typeFields.slack.settings.map((name) => [name, ""])) : {};
}

function eventsOf({ events, mode }: Webhook): string[] {
  if (mode === "everything") return [...everyEventType];
  return mode === "push" ? ["push"] : [...events];
}
