import type { RefMove } from "../../repos/events.ts";
import type { Services } from "../../services.ts";
import type { Happening, HappeningsOf, TellersOf } from "../happenings.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

const kinds = { "refs/heads/": "branch", "refs/tags/": "tag" } as const;
type RefKind = (typeof kinds)[keyof typeof kinds];

/** A branch or tag by its short name; undefined: a ref that is neither. */
function named(ref: string): { readonly kind: RefKind; readonly name: string } | undefined {
  for (const [prefix, kind] of Object.entries(kinds))
    if (ref.startsWith(prefix)) return { kind, name: ref.slice(prefix.length) };
  return undefined;
}

/** Creation, moves and deletion of branches and tags (contract webhooks.md 6.1 to 6.3). */
export function refTellers(services: Services) {
  const moved: HappeningsOf<"refs.changed"> = ({ principal, repoId }, { isInitial, isMirrored, moves }) => {
    const seen = isInitial ? undefined : seenBy(services, repoId);
    if (!seen) return [];
    let around: object | undefined;
    const aroundOnce = () => {
      around ??= { repository: repoOf(services, seen), sender: personOf(services, principal?.userId) };
      return around;
    };
    const isRename = renames(moves);
    return moves.flatMap((move): Happening[] => {
      const found = named(move.name);
      if (!found) return [];
      const { kind, name } = found;
      const { name: ref, newOid, oldOid } = move;
      // Most pushes move branches, which need nothing of this before they are sent.
      const about = () => ({ ref: name, ref_type: kind, ...aroundOnce() });
      const push: Happening = {
        type: "push",
        ref,
        isEmptyPush: kind === "tag" || newOid === null,
        payload: { source: "push", repoId: seen.repo.id, ref, oldOid, newOid, userId: principal?.userId ?? null },
      };
      const isTag = kind === "tag";
      if (newOid === null) {
        const gone = { type: "delete", ref, payload: { ...about(), pusher_type: "user" } } as const;
        // The deletion event covers a deleted branch.
        return isTag && !isMirrored ? [push, gone] : [gone];
      }
      // A moved tag is reported as a new one.
      const isNew = oldOid === null || (isTag && !isMirrored);
      if (!isNew) return [push];
      const made = { type: "create", ref, payload: { sha: newOid, ...about() } } as const;
      // A renamed branch brings no commits.
      if (isRename && !isTag) return [made];
      return isTag || isMirrored ? [push, made] : [made, push];
    });
  };
  return { "refs.changed": moved } satisfies TellersOf;
}

/** Whether one branch was renamed, at the same commit, and nothing else happened. */
function renames(moves: readonly RefMove[]): boolean {
  const branches = moves.filter(({ name }) => named(name)?.kind === "branch");
  const [from, to] = branches.toSorted((a, b) => Number(b.newOid === null) - Number(a.newOid === null));
  return (
    branches.length === 2 &&
    from?.newOid === null &&
    to?.oldOid === null &&
    from.oldOid !== null &&
    from.oldOid === to.newOid
  );
}
