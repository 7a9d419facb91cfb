import { CorruptObject } from "../../git/errors.ts";
import type { Commits } from "../../git/graph/commits.ts";
import { tipsContaining } from "../../git/history/ancestry.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { ObjectType, Oid } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";

/** Something a ref points to: an id, with the id of what an annotated tag stands for. */
export interface RefTip {
  readonly oid: Oid;
  readonly peeled?: Oid | undefined;
}

/**
 * When each was made, in seconds since 1970: the tag's own time, else the commit's; 0 for what is neither, or missing.
 */
export function timesOfTips(commits: Commits, tips: readonly RefTip[]): Float64Array {
  return Float64Array.from(tips, ({ oid, peeled }) => {
    try {
      if (peeled !== undefined) {
        const tag = commits.store.read(oid);
        return tag?.type === "tag" ? (parseTag(tag.data).tagger?.timestamp ?? 0) : 0;
      }
      // Most commits stand in the graph, whose times cost no reading.
      const position = commits.find(oid);
      return position === undefined ? 0 : commits.timeOf(position);
    } catch (error) {
      if (error instanceof CorruptObject) return 0;
      throw error;
    }
  });
}

/** The names of the refs that lead to the commit, in their order. @throws CorruptObject */
export function namesHolding(commits: Commits, commit: Oid, refs: readonly Ref[]): string[] {
  const tips = refs.map(({ name, oid, peeled }) => ({ name, oid: peeled ?? oid }));
  return tipsContaining(commits, commit, tips).map(({ name }) => name);
}

/** What a ref points to; a missing object passes for a commit. */
export function typeOfTip(objects: ObjectSource, { oid }: RefTip): ObjectType {
  return objects.header(oid)?.type ?? "commit";
}
