import { GitError } from "../errors.ts";

/** A `-L` that selects no lines of the file. The message is git's. */
export class BadLineRange extends GitError {
  override name = "BadLineRange";
}

/** A malformed `-L`; git shows its usage. */
export class MalformedLineRange extends GitError {
  override name = "MalformedLineRange";
}

/**
 * The lines that `-L` options select (git-blame(1)): 0-based, ends exclusive, sorted, with adjacent ones joined. Only
 * numbers and offsets are supported: `3,9`, `3,+6`, `9,-2`, `3`, `,9`.
 * @param count number of lines in the file
 * @param path for messages
 * @throws BadLineRange, MalformedLineRange
 */
export function lineRanges(count: number, specs: readonly string[], path: string): [number, number][] {
  const ranges = specs.map((spec): [number, number] => {
    let [bottom, top] = readRange(spec);
    if ((count === 0 && (top !== 0 || bottom !== 0)) || count < bottom)
      throw new BadLineRange(`file ${path} has only ${count} ${count === 1 ? "line" : "lines"}`);
    if (bottom < 1) bottom = 1;
    if (top < 1 || count < top) top = count;
    return [bottom - 1, top];
  });
  ranges.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push(range);
  }
  return joined.filter(([start, end]) => start < end);
}

/** First and last line, 1-based, 0 where omitted. */
function readRange(spec: string): [number, number] {
  const [, from = "", to = ""] = /^(\d*)(?:,([+-]?\d+)?)?$/.exec(spec) ?? [];
  if (from === "" && to === "" && spec !== "" && spec !== ",") throw new MalformedLineRange("");
  const bottom = from === "" ? 0 : lineNumber(from);
  const top = to === "" ? 0 : /^[+-]/.test(to) ? fromOffset(bottom, to) : lineNumber(to);
  return bottom !== 0 && top !== 0 && top < bottom ? [top, bottom] : [bottom, top];
}

function lineNumber(text: string): number {
  const line = Number(text);
  if (line <= 0) throw new BadLineRange(`-L invalid line number: ${line}`);
  return line;
}

function fromOffset(bottom: number, text: string): number {
  const size = Number(text.slice(1));
  if (size === 0) throw new BadLineRange("-L invalid empty range");
  return text.startsWith("+") ? bottom + size - 1 : Math.max(bottom + 1 - size, 1);
}
