import type { EventContext } from "../../events/types.ts";
import { NotFound } from "../../kernel/errors.ts";
import { releaseResources } from "../../releases/resource.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { hookEyes, personOf, repoOf, seenBy } from "./common.ts";

/** Publication, changes and deletion of releases (contract webhooks.md 6.11). */
export function releaseTellers(services: Services) {
  const told = (
    action: "published" | "updated" | "deleted",
    { principal, repoId }: Pick<EventContext, "principal" | "repoId">,
    releaseId: number,
  ): Happening[] => {
    const seen = seenBy(services, repoId);
    if (!seen) return [];
    try {
      const release = services.releases.get(seen, releaseId);
      const [resource] = releaseResources(services, hookEyes, seen, [release]);
      const senderId = action === "published" ? (release.authorId ?? principal?.userId) : principal?.userId;
      const payload = {
        action,
        release: resource,
        repository: repoOf(services, seen),
        sender: personOf(services, senderId),
      };
      return [{ type: "release", payload }];
    } catch (error) {
      if (error instanceof NotFound) return [];
      throw error;
    }
  };
  return {
    // The tag was already public: to receivers this is an update (contract webhooks.md 7.5).
    "release.published": (context, { releaseId, wasTagged }) =>
      told(wasTagged ? "updated" : "published", context, releaseId),
    "release.edited": (context, { releaseId }) => told("updated", context, releaseId),
    "release.deleted": (context, { releaseId }) => told("deleted", context, releaseId),
  } satisfies TellersOf;
}
