import type { IdentityService } from "../../src/identity/service.ts";
import type { ReactionCount } from "../../src/issues/reactions/types.ts";
import type { ShownReaction } from "./reactions.tsx";

/** Reactions with the names of who reacted, by entry; undefined: to the item itself. */
export function shownReactions(
  identity: IdentityService,
  counts: readonly ReactionCount[],
): (entryId: number | undefined) => ShownReaction[] {
  const ids = counts.flatMap(({ givers }) => givers.flatMap(({ userId }) => userId ?? []));
  const people = identity.byIds([...new Set(ids)]);
  return (wanted) =>
    counts
      .filter(({ entryId }) => entryId === wanted)
      .map(({ content, count, givers, mine }) => ({
        content,
        count,
        mine,
        names: givers.flatMap(({ originalAuthor, userId }) => people.get(userId ?? 0)?.login || originalAuthor || []),
      }));
}
