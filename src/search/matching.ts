import type { Expression } from "./expression.ts";
import type { Pattern } from "./pattern.ts";
import type { FoundLine } from "./types.ts";

/** Matching lines shown per file. */
const MAX_SHOWN = 5;
/** Lines shown on either side of a match. */
const CONTEXT = 1;
/** Expressions are matched only against this much of a line: a minified file is a single line. */
const MAX_LINE = 2_000;
const MAX_SHOWN_LINE = 300;
const MAX_MARKS = 20;
/** Number of lines between checks of the clock. */
const STEPS = 500;

/** The matching lines of a file. */
export interface Matches {
  readonly lines: readonly FoundLine[];
  readonly matchCount: number;
}

/**
 * Searches for a pattern line by line; undefined if the file does not match.
 * @param expressions those of the pattern
 * @param isLate called periodically; once it returns true, the matches so far count
 */
export function matchesIn(
  text: string,
  pattern: Pattern,
  expressions: readonly Expression[],
  isLate: () => boolean,
): Matches | undefined {
  // Quickly rules out a file that does not contain a literal text.
  if (pattern.isLiteral && !expressions.every((expression) => expression.matches(text))) return undefined;
  const lines = text.split("\n");
  const maxLength = pattern.isLiteral ? Number.POSITIVE_INFINITY : MAX_LINE;
  const matched: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (at % STEPS === STEPS - 1 && isLate()) break;
    const line = lineAt(lines, at, maxLength);
    if (expressions.some((expression) => expression.matches(line))) matched.push(at);
  }
  if (matched.length === 0) return undefined;
  const shown = new Set<number>();
  for (const at of matched.slice(0, MAX_SHOWN))
    for (let near = at - CONTEXT; near <= at + CONTEXT; near++)
      if (near >= 0 && near < lines.length && !(near === lines.length - 1 && lines[near] === "")) shown.add(near);
  const found = [...shown].sort((a, b) => a - b).map((at) => shownLine(at, lineAt(lines, at, maxLength), expressions));
  return { lines: found, matchCount: matched.length };
}

function lineAt(lines: readonly string[], at: number, maxLength: number): string {
  const line = lines[at] ?? "";
  return line.slice(0, line.endsWith("\r") ? Math.min(maxLength, line.length - 1) : maxLength);
}

/** A line with its marks; for a long one, the part around the first mark. */
function shownLine(at: number, line: string, expressions: readonly Expression[]): FoundLine {
  const marks = marksIn(line, expressions);
  const first = marks[0]?.[0] ?? 0;
  const from = line.length <= MAX_SHOWN_LINE ? 0 : Math.max(0, Math.min(first - 60, line.length - MAX_SHOWN_LINE));
  const text = line.slice(from, from + MAX_SHOWN_LINE).toWellFormed();
  const within = marks.flatMap(([start, end]): [number, number][] => {
    const [begin, stop] = [Math.max(0, start - from), Math.min(text.length, end - from)];
    return stop > begin ? [[begin, stop]] : [];
  });
  return { number: at + 1, text, marks: within };
}

/** Where the expressions match, in order, with overlapping matches merged. */
function marksIn(line: string, expressions: readonly Expression[]): [number, number][] {
  const found: [number, number][] = [];
  for (const expression of expressions) {
    let count = 0;
    for (const [start, end] of expression.places(line)) {
      if (count++ === MAX_MARKS) break;
      found.push([start, end]);
    }
  }
  found.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
