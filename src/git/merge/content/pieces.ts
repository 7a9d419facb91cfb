import { Text } from "../../diff/lines/text.ts";
import { mergeRegions, sidesOf } from "./regions.ts";
import { numbered } from "./texts.ts";

/** A piece of a text being merged: either decided, or both sides' versions of a conflict. */
export type MergePiece =
  | { readonly kind: "merged"; readonly data: Uint8Array }
  | { readonly kind: "conflict"; readonly ours: Uint8Array; readonly theirs: Uint8Array };

/**
 * Splits a merge into pieces at the same regions that `mergeTexts` marks, so a text that contains lines resembling
 * markers is still split at its conflicts.
 */
export function mergePieces(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  ignoreSpaceChange?: boolean,
): MergePiece[] {
  const texts = { base: Text.of(base), ours: Text.of(ours), theirs: Text.of(theirs) };
  const numbers = numbered(texts, ignoreSpaceChange);
  const [oursBlocks, theirsBlocks] = sidesOf(numbers);
  const pieces: MergePiece[] = [];
  const lines = (text: Text, start: number, count: number) =>
    text.data.subarray(text.starts[start] ?? 0, text.starts[start + count] ?? 0);
  const merged = (data: Uint8Array) => {
    const last = pieces.at(-1);
    if (data.length === 0) return;
    if (last?.kind === "merged") pieces[pieces.length - 1] = { kind: "merged", data: Buffer.concat([last.data, data]) };
    else pieces.push({ kind: "merged", data });
  };
  let at = 0;
  for (const region of mergeRegions(numbers, oursBlocks, theirsBlocks, "merge")) {
    if (region.kind === "same") continue;
    merged(lines(texts.ours, at, region.oursStart - at));
    at = region.oursStart + region.oursCount;
    const mine = lines(texts.ours, region.oursStart, region.oursCount);
    const other = lines(texts.theirs, region.theirsStart, region.theirsCount);
    if (region.kind === "conflict") pieces.push({ kind: "conflict", ours: mine, theirs: other });
    else merged(region.kind === "ours" ? mine : other);
  }
  merged(lines(texts.ours, at, texts.ours.count - at));
  return pieces;
}
