import { type CommonEnds, commonEnds } from "./lines/common-ends.ts";
import { type CompactOptions, compact, Numbered } from "./lines/compact.ts";
import { countsOf, type Middles } from "./lines/discard.ts";
import { type Block, blocksOf, type Edits } from "./lines/edits.ts";
import { histogramEdits } from "./lines/histogram.ts";
import { Interner } from "./lines/interner.ts";
import { editsBetween, editsOfMiddles } from "./lines/myers.ts";
import { patienceEdits } from "./lines/patience.ts";
import { Text } from "./lines/text.ts";
import { comparedPart, ignoresSpaces, type WhitespaceOptions } from "./lines/whitespace.ts";

export type { Block } from "./lines/edits.ts";

export interface LineDiffOptions extends WhitespaceOptions {
  /** "myers" by default, as in `git diff`; git's merges use "histogram". */
  readonly algorithm?: "myers" | "histogram" | "patience" | undefined;
  /** Whether Myers' algorithm always finds a shortest script, also when another algorithm falls back to it. */
  readonly minimal?: boolean | undefined;
  /** Slide changed runs to where they read best: true by default, as in `git diff` and `git blame`; not in merges. */
  readonly indentHeuristic?: boolean | undefined;
  /** Whether to trim the common end first, as git does where it needs no context (`-U0`, `git blame`). */
  readonly trimTail?: boolean | undefined;
}

/**
 * Compares two texts and returns the changed lines in order, the same ones git finds.
 * @param common the common ends of the two, if already known
 */
export function diffTexts(
  oldText: Text,
  newText: Text,
  options: LineDiffOptions = {},
  common = commonEnds(oldText.data, newText.data),
): Block[] {
  const [before, after] = options.trimTail ? withoutCommonTail(oldText, newText) : [oldText, newText];
  const indents = (options.indentHeuristic ?? true) ? { oldIndents: before, newIndents: after } : {};
  const { algorithm } = options;
  if (ignoresSpaces(options) || algorithm === "histogram" || algorithm === "patience") {
    const interner = new Interner(before.count + after.count);
    const a = interner.add(comparedPart(before, options));
    const b = interner.add(comparedPart(after, options));
    return blocksOf(diffNumbers(a, b, interner.size, options, indents));
  }
  const ends = before === oldText ? common : commonEnds(before.data, after.data);
  const edits = editsOfMiddles(middlesOfTexts(before, after, ends), options.minimal);
  compact(before, after, edits, indents);
  return blocksOf(edits);
}

/** Reused for each diff. */
const interner = new Interner();

/** Numbers only the lines between the common ends; the others only count where they equal one of those. */
function middlesOfTexts(before: Text, after: Text, common: CommonEnds): Middles {
  const start = before.lineAt(common.start);
  const aEnd = before.lineAt(before.data.length - common.end);
  const bEnd = after.lineAt(after.data.length - common.end);
  const totals = { start, aTotal: before.count, bTotal: after.count };
  if (aEnd === start || bEnd === start) {
    const middles = { a: new Int32Array(aEnd - start), b: new Int32Array(bEnd - start) };
    return { ...middles, ...totals, aCounts: NOTHING, bCounts: NOTHING, apart: true };
  }
  interner.restart(Math.max(aEnd, bEnd) - start);
  try {
    const a = interner.add(before, start, aEnd);
    const ofBefore = interner.size;
    const b = interner.addAlike(after, start, bEnd, start, a);
    if (b.every((number) => number >= ofBefore))
      return { a, b, ...totals, aCounts: NOTHING, bCounts: NOTHING, apart: true };
    const aCounts = countsOf(a, interner.size);
    const bCounts = countsOf(b, interner.size);
    const ends = new Int32Array(interner.size);
    interner.countIn(before, 0, start, ends);
    interner.countIn(before, aEnd, before.count, ends);
    for (let i = 0; i < ends.length; i++) {
      aCounts[i]! += ends[i]!;
      bCounts[i]! += ends[i]!;
    }
    return { a, b, ...totals, aCounts, bCounts };
  } finally {
    interner.forget();
  }
}

const NOTHING = new Int32Array(0);

/** The same for lines as strings, one character per byte, each with its newline. */
export function diffLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  options: LineDiffOptions = {},
): Block[] {
  return diffTexts(textOf(oldLines), textOf(newLines), options);
}

/**
 * Compares two sequences of numbers below `alphabet`, for callers that number lines themselves (`Interner`).
 * @param indents indents of the texts, needed to slide runs to where they read best
 */
export function diffNumbers(
  a: Int32Array,
  b: Int32Array,
  alphabet: number,
  options: Pick<LineDiffOptions, "algorithm" | "minimal"> = {},
  indents: CompactOptions = {},
): Edits {
  const { algorithm, minimal } = options;
  const edits =
    algorithm === "histogram"
      ? histogramEdits(a, b, alphabet, minimal)
      : algorithm === "patience"
        ? patienceEdits(a, b, alphabet, minimal)
        : editsBetween(a, b, alphabet, minimal);
  compact(new Numbered(a), new Numbered(b), edits, indents);
  return edits;
}

const TAIL_PIECE_BYTES = 1024;

/** Both texts up to the line in which the common end begins; the end is compared in whole pieces only. */
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
