import { mergeTexts } from "../../git/merge/content/texts.ts";

export interface MergeTextsInput {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}

/** The text with both changes; undefined if they touch the same lines. */
export function run({ base, ours, theirs }: MergeTextsInput): Uint8Array | undefined {
  const merged = mergeTexts(base, ours, theirs, { base: "", ours: "", theirs: "" });
  return merged.conflicts === 0 ? merged.data : undefined;
}
