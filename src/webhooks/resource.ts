import { type Static, Type } from "@sinclair/typebox";
import { text, texts, time, whole, yesNo } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { everyEventType } from "./event-names.ts";
import type { Webhook } from "./types.ts";
import { typeFields } from "./values.ts";

export const HookResource = Type.Object(
  {
    id: whole("Number of the webhook."),
    name: text("What people call it; empty: nothing."),
    type: text("What is told: gitea, gogs and forgejo events as they are, others a message of a chat service."),
    branch_filter: text("Glob of the branches and tags whose pushes, creations and deletions it hears of; empty: all."),
    config: Type.Record(Type.String(), Type.String(), {
      description: "Where and how it is told, and what its type has besides. Secrets are never in it.",
    }),
    events: texts("What it hears of.", "Name of an event."),
    authorization_header: text("Always empty: it is a secret."),
    active: yesNo("Whether it is told anything."),
    updated_at: time("When it was last changed."),
    created_at: time("When it was made."),
  },
  { $id: "Hook", description: "An address that is told of what happens." },
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

/** Clients of the reference find every setting of this type, whether or not it has a value (contract webhooks.md 1.2). */
function unset({ type }: Webhook): Readonly<Record<string, string>> {
  return type === "slack" ? Object.fromEntries(typeFields.slack.settings.map((name) => [name, ""])) : {};
}

function eventsOf({ events, mode }: Webhook): string[] {
  if (mode === "everything") return [...everyEventType];
  return mode === "push" ? ["push"] : [...events];
}
