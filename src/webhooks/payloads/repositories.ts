import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

/** Creation, deletion and forking of repositories (contract webhooks.md 6.4 and 6.10). */
export function repositoryTellers(services: Services) {
  const told = (
    action: "created" | "deleted",
    repoId: number | undefined,
    senderId: number | undefined,
  ): Happening[] => {
    const seen = seenBy(services, repoId);
    if (!seen) return [];
    const payload = {
      action,
      repository: repoOf(services, seen),
      organization: personOf(services, seen.owner.id),
      sender: personOf(services, senderId),
    };
    return [{ type: "repository", payload }];
  };
  return {
    "repo.created": ({ principal, repoId }) => told("created", repoId, principal?.userId),
    "repo.deleted": ({ principal, repoId }) => told("deleted", repoId, principal?.userId),
    "repo.forked": ({ principal, repoId }, { forkId }) => {
      const original = seenBy(services, repoId);
      const fork = seenBy(services, forkId);
      if (!original || !fork) return [];
      const payload = {
        forkee: repoOf(services, original),
        repository: repoOf(services, fork),
        sender: personOf(services, principal?.userId),
      };
      return [{ type: "fork", payload }];
    },
  } satisfies TellersOf;
}
