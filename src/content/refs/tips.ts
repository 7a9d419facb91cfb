import { CorruptObject } from "../../git/errors.ts";
import type { Commits } from "../../git/graph/commits.ts";
import { tipsContaining } from "../../git/history/ancestry.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import { parseTag } from "../../git/objects/tag.ts";
import type { ObjectType, Oid } from "../../git/objects/types.ts";

/** Something a ref points to: an id, with the id of what an annotated tag stands for. */
export interface RefTip {
  readonly oid: Oid;
  readonly peeled?: Oid | undefined;
}

/** In a thread's message a long list of ids is one text: as many strings would take several times as long. */
export function packTips(tips: readonly RefTip[]): string {
  return tips.map(({ oid, peeled }) => (peeled === undefined ? oid : `${oid} ${peeled}`)).join("\n");
}

export function unpackTips(text: string): RefTip[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const [oid = "", peeled] = line.split(" ");
    return { oid, peeled };
  });
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

/** Which of the tips lead to the commit, by their places in the list. @throws CorruptObject */
export function placesHolding(commits: Commits, commit: Oid, tips: readonly RefTip[]): Uint32Array {
  const placed = tips.map(({ oid, peeled }, place) => ({ name: "", oid: peeled ?? oid, place }));
  return Uint32Array.from(tipsContaining(commits, commit, placed), ({ place }) => place);
}

const TYPES: readonly ObjectType[] = ["commit", "tree", "blob", "tag"];

/** What each of the tips is, as `typeAt` reads it; a missing object passes for a commit. */
export function typesOfTips(objects: ObjectSource, tips: readonly RefTip[]): Uint8Array {
  return Uint8Array.from(tips, ({ oid }) => TYPES.indexOf(objects.header(oid)?.type ?? "commit"));
}

export function typeAt(types: Uint8Array, place: number): ObjectType {
  return TYPES[types[place] ?? 0] ?? "commit";
}
