import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { parseTagLink } from "../objects/tag.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";

/** Tags on tags on tags: no one makes more, and a hostile chain ends here. */
const MAX_CHAIN = 100;

/**
 * The commit that an id is or, being a tag, points to; null when it is or leads to something else; undefined when
 * there is no such object.
 */
export function findCommit(store: ObjectStore, commits: Commits, oid: Oid): number | null | undefined {
  let at = oid;
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    const header = store.header(at);
    if (!header) return at === oid ? undefined : null;
    if (header.type === "commit") return commits.positionOf(at);
    if (header.type !== "tag") return null;
    const tag = store.read(at);
    if (!tag) throw new CorruptObject(`missing object ${at}`);
    at = parseTagLink(tag.data).object;
  }
  return null;
}

/** The ids with everything that those which are tags point to. */
export function tipsOf(store: ObjectStore, oids: readonly Oid[]): Set<Oid> {
  const tips = new Set<Oid>();
  for (const oid of oids) {
    let at = oid;
    for (let depth = 0; depth < MAX_CHAIN && !tips.has(at); depth++) {
      tips.add(at);
      if (store.header(at)?.type !== "tag") break;
      const tag = store.read(at);
      if (tag) at = parseTagLink(tag.data).object;
    }
  }
  return tips;
}
