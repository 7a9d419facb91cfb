import type { EventContext } from "../../events/types.ts";
import type { Services } from "../../services.ts";
import type { WikiEvent } from "../../wiki/events.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

/** Creation, changes and deletion of wiki pages on the site (contract webhooks.md 6.9). */
export function wikiTellers(services: Services) {
  const told = (
    action: "created" | "edited" | "deleted",
    { principal, repoId }: Pick<EventContext, "principal" | "repoId">,
    { comment, page }: WikiEvent,
  ): Happening[] => {
    const seen = seenBy(services, repoId);
    if (!seen) return [];
    const repository = repoOf(services, seen);
    return [
      { type: "wiki", payload: { action, repository, sender: personOf(services, principal?.userId), page, comment } },
    ];
  };
  return {
    "wiki.created": (context, event) => told("created", context, event),
    "wiki.edited": (context, event) => told("edited", context, event),
    "wiki.deleted": (context, event) => told("deleted", context, event),
  } satisfies TellersOf;
}
