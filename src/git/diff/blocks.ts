import { type CompactOptions, compact } from "./lines/compact.ts";
import { type Block, blocksOf, type Edits } from "./lines/edits.ts";
import { histogramEdits } from "./lines/histogram.ts";
import { Interner } from "./lines/interner.ts";
import { editsBetween } from "./lines/myers.ts";
import { patienceEdits } from "./lines/patience.ts";
import { Text } from "./lines/text.ts";
import { comparedPart, type WhitespaceOptions } from "./lines/whitespace.ts";

export type { Block } from "./lines/edits.ts";

export interface LineDiffOptions extends WhitespaceOptions {
  /** "myers" by default, as `git diff`; git's merges use "histogram". */
  readonly algorithm?: "myers" | "minimal" | "histogram" | "patience" | undefined;
  /** Slide changed runs to where they read best: true by default, as `git diff` and `git blame`; git's merges do not. */
  readonly indentHeuristic?: boolean | undefined;
  /** Leave out the common end before anything else, as git does where it needs no context (`-U0`, `git blame`). */
  readonly trimTail?: boolean | undefined;
}

/** Compares two texts and answers which lines changed, in order; the same ones as git finds. */
export function diffTexts(oldText: Text, newText: Text, options: LineDiffOptions = {}): Block[] {
  const [before, after] = options.trimTail ? withoutCommonTail(oldText, newText) : [oldText, newText];
  const interner = new Interner(before.count + after.count);
  const a = interner.add(comparedPart(before, options));
  const b = interner.add(comparedPart(after, options));
  const indents = (options.indentHeuristic ?? true) ? { oldIndents: before, newIndents: after } : {};
  return blocksOf(diffNumbers(a, b, interner.size, options, indents));
}

/** The same for lines given as strings, one character a byte, each with its newline. */
export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  options: LineDiffOptions = {},
): Block[] {
  return diffTexts(textOf(oldLines), textOf(newLines), options);
}

/**
 * Compares two sequences of numbers below `alphabet`, for callers that number lines themselves (`Interner`).
 * @param indents of the texts, when runs are to slide to where they read best
 */
export function diffNumbers(
  a: Int32Array,
  b: Int32Array,
  alphabet: number,
  options: Pick<LineDiffOptions, "algorithm"> = {},
  indents: CompactOptions = {},
): Edits {
  const { algorithm } = options;
  const edits =
    algorithm === "histogram"
      ? histogramEdits(a, b, alphabet)
      : algorithm === "patience"
        ? patienceEdits(a, b, alphabet)
        : editsBetween(a, b, alphabet, algorithm === "minimal");
  compact(a, b, edits, indents);
  return edits;
}

const TAIL_PIECE_BYTES = 1024;

/** Both texts up to the line in which the common end begins; only whole pieces of the end count as common. */
function withoutCommonTail(a: Text, b: Text): readonly [Text, Text] {
  const shorter = Math.min(a.data.length, b.data.length);
  let common = 0;
  while (common < shorter && a.data[a.data.length - 1 - common] === b.data[b.data.length - 1 - common]) common++;
  common -= common % TAIL_PIECE_BYTES;
  if (common === 0) return [a, b];
  const newline = a.data.indexOf(0x0a, a.data.length - common);
  return newline < 0 ? [a, b] : [a.upTo(newline + 1), b.upTo(b.data.length - (a.data.length - newline - 1))];
}

function textOf(lines: readonly string[]): Text {
  return Text.of(Buffer.from(lines.join(""), "latin1"));
}
