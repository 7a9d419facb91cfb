import { CorruptObject } from "../../git/errors.ts";
import type { Commits } from "../../git/graph/commits.ts";
import { tipsContaining } from "../../git/history/ancestry.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { ObjectType, Oid } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";

/** The target of a ref: an id, and the peeled id of an annotated tag. */
export interface RefTip {
  readonly oid: Oid;
  readonly peeled?: Oid | undefined;
}

/** The time of each, in seconds since 1970: the tag's own, otherwise the commit's; 0 if it is neither, or missing. */
export function timesOfTips(commits: Commits, tips: readonly RefTip[]): Float64Array {
  return Float64Array.from(tips, ({ oid, peeled }) => {
    try {
      if (peeled !== undefined) {
        const tag = commits.store.read(oid);
        return tag?.type === "tag" ? (parseTag(tag.data).tagger?.timestamp ?? 0) : 0;
      }
      // Most commits are in the graph, which has their times without reading objects.
      const position = commits.find(oid);
      return position === undefined ? 0 : commits.timeOf(position);
    } catch (error) {
      if (error instanceof CorruptObject) return 0;
      throw error;
    }
  });
}

/** The names of the refs that contain the commit, in order. @throws CorruptObject */
export function namesHolding(commits: Commits, commit: Oid, refs: readonly Ref[]): string[] {
  const tips = refs.map(({ name, oid, peeled }) => ({ name, oid: peeled ?? oid }));
  return tipsContaining(commits, commit, tips).map(({ name }) => name);
}

/** The type of a ref's target; a missing object counts as a commit. */
export function typeOfTip(objects: ObjectSource, { oid }: RefTip): ObjectType {
  return objects.header(oid)?.type ?? "commit";
}
