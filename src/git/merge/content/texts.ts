import { Interner } from "../../diff/lines/interner.ts";
import { Text } from "../../diff/lines/text.ts";
import { comparedPart } from "../../diff/lines/whitespace.ts";
import { writeMerged } from "./marked.ts";
import { mergeRegions, type NumberedTexts, sidesOf } from "./regions.ts";

export type ConflictStyle = "merge" | "diff3" | "zdiff3";

/** Labels of conflict markers: bytes as latin1 text. */
export interface MarkerLabels {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TextMergeOptions {
  /** "merge" by default, which does not show the base. */
  readonly style?: ConflictStyle | undefined;
  /** Length of a marker in characters; 7 by default. */
  readonly markerSize?: number | undefined;
  /** Take both sides' lines, ours first, instead of marking a conflict. */
  readonly union?: boolean | undefined;
  /** Ignore changes in the amount of white space, as with `-X ignore-space-change`. */
  readonly ignoreSpaceChange?: boolean | undefined;
}

export interface MergedText {
  readonly data: Uint8Array;
  /** Number of marked conflicts. */
  readonly conflicts: number;
}

export const DEFAULT_MARKER_SIZE = 7;

/**
 * Merges two texts with a common base: changes by one side are taken, differing changes by both are marked. The
 * result is byte for byte that of git's merges (histogram diff, level "zealous").
 */
export function mergeTexts(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  labels: MarkerLabels,
  options: TextMergeOptions = {},
): MergedText {
  const texts = { base: Text.of(base), ours: Text.of(ours), theirs: Text.of(theirs) };
  const numbers = numbered(texts, options.ignoreSpaceChange);
  const [oursBlocks, theirsBlocks] = sidesOf(numbers);
  if (oursBlocks.length === 0) return { data: theirs, conflicts: 0 };
  if (theirsBlocks.length === 0) return { data: ours, conflicts: 0 };
  const style = options.style ?? "merge";
  const regions = mergeRegions(numbers, oursBlocks, theirsBlocks, style);
  const data = writeMerged(texts, regions, labels, {
    style,
    markerSize: options.markerSize ?? DEFAULT_MARKER_SIZE,
    union: options.union ?? false,
  });
  const conflicts = options.union ? 0 : regions.filter((region) => region.kind === "conflict").length;
  return { data, conflicts };
}

export interface ThreeTexts {
  readonly base: Text;
  readonly ours: Text;
  readonly theirs: Text;
}

/** Numbers lines so that equal lines have equal numbers. */
export function numbered(texts: ThreeTexts, ignoreSpaceChange = false): NumberedTexts {
  const interner = new Interner(texts.base.count + texts.ours.count);
  const numbersOf = (text: Text) => interner.add(comparedPart(text, { ignoreSpaceChange }));
  return {
    base: numbersOf(texts.base),
    ours: numbersOf(texts.ours),
    theirs: numbersOf(texts.theirs),
    get alphabet() {
      return interner.size;
    },
  };
}
