import { CorruptObject } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { parseTagLink } from "../objects/tag.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";

/** Maximum length of a chain of tags: nobody creates longer ones, and a hostile chain ends here. */
const MAX_CHAIN = 100;

/**
 * The commit an id refers to, peeling tags; null when it is or peels to something else; undefined when
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

/** The ids, plus everything the tags among them point to. */
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
