import { parseCommitLinks } from "../objects/commit.ts";
import type { ObjectSource } from "../objects/source.ts";
import { parseTag } from "../objects/tag.ts";
import type { Oid } from "../objects/types.ts";

/** Tag chains cannot be cyclic, because an id cannot contain itself; this only bounds the work. */
const MAX_TAG_DEPTH = 100;

/** The final target of a chain of annotated tags; undefined when an object is missing or the chain is too long. */
export function peelTags(store: ObjectSource, oid: Oid): Oid | undefined {
  let at = oid;
  for (let depth = 0; depth < MAX_TAG_DEPTH; depth++) {
    const header = store.header(at);
    if (!header) return undefined;
    if (header.type !== "tag") return at;
    const object = store.read(at);
    if (!object) return undefined;
    at = parseTag(object.data).object;
  }
  return undefined;
}

/** Peels an id through tags to a commit; undefined when it does not lead to one. */
export function peelToCommit(store: ObjectSource, oid: Oid): Oid | undefined {
  const target = peelTags(store, oid);
  return target !== undefined && store.header(target)?.type === "commit" ? target : undefined;
}

/** Peels an id through tags and commits to a tree; undefined when it does not lead to one. */
export function peelToTree(store: ObjectSource, oid: Oid): Oid | undefined {
  const target = peelTags(store, oid);
  const object = target === undefined ? undefined : store.header(target);
  if (object?.type === "tree") return target;
  if (object?.type !== "commit") return undefined;
  const commit = store.read(target!);
  return commit && parseCommitLinks(commit.data).tree;
}
