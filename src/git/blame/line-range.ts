import { toLatin1 } from "../diff/content.ts";
import type { Text } from "../diff/lines/text.ts";
import { GitError } from "../errors.ts";
import { BadRegexp, basicRegexp } from "./basic-regexp.ts";

/** A `-L` that names no lines of the file. The message is git's. */
export class BadLineRange extends GitError {
  override name = "BadLineRange";
}

/** A `-L` that cannot be read at all; git shows its usage. */
export class MalformedLineRange extends GitError {
  override name = "MalformedLineRange";
}

/**
 * The lines that `-L` options name (git-blame(1)): 0-based, ends exclusive, sorted, those that meet joined.
 * @param path for messages
 * @throws BadLineRange, MalformedLineRange
 */
export function lineRanges(text: Text, specs: readonly string[], path: string): [number, number][] {
  const { count } = text;
  const ranges: [number, number][] = [];
  let anchor = 1;
  for (const spec of specs) {
    let [bottom, top] = new RangeReader(text, spec).read(Math.min(Math.max(anchor, 1), count + 1));
    if ((count === 0 && (top !== 0 || bottom !== 0)) || count < bottom)
      throw new BadLineRange(`file ${path} has only ${count} ${count === 1 ? "line" : "lines"}`);
    if (bottom < 1) bottom = 1;
    if (top < 1 || count < top) top = count;
    ranges.push([bottom - 1, top]);
    anchor = top + 1;
  }
  ranges.sort((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else joined.push(range);
  }
  return joined.filter(([start, end]) => start < end);
}

class RangeReader {
  private at = 0;

  constructor(
    private readonly text: Text,
    private readonly spec: string,
  ) {}

  /** First and last line, 1-based, 0 where nothing was said. */
  read(anchor: number): [number, number] {
    const { spec } = this;
    if (/^\^?:/.test(spec)) return this.functionLines(spec.startsWith("^") ? 1 : anchor);
    let begin = this.place(anchor, false);
    let end = 0;
    if (spec[this.at] === ",") {
      this.at++;
      end = this.place(begin + 1, true);
    }
    if (this.at < spec.length) throw new MalformedLineRange("");
    if (begin !== 0 && end !== 0 && end < begin) [begin, end] = [end, begin];
    return [begin, end];
  }

  /**
   * @param from the line to search from; for an end, one after the beginning, which offsets count from
   */
  private place(from: number, isEnd: boolean): number {
    const rest = this.spec.slice(this.at);
    const offset = isEnd ? /^([+-])(\d+)/.exec(rest) : null;
    if (offset) {
      this.at += offset[0].length;
      const size = Number(offset[2]);
      if (size === 0) throw new BadLineRange("-L invalid empty range");
      return offset[1] === "+" ? from + size - 2 : Math.max(from - size, 1);
    }
    const number = /^\s*[+-]?\d+/.exec(rest);
    if (number) {
      this.at += number[0].length;
      const line = Number(number[0]);
      if (line <= 0) throw new BadLineRange(`-L invalid line number: ${line}`);
      return line;
    }
    const pattern = /^(\^?)\/((?:[^\\/]|\\[\s\S])*)\//.exec(rest);
    if (!pattern || (isEnd && pattern[1] !== "")) return 0;
    this.at += pattern[0].length;
    return this.search(pattern[2]!, pattern[1] === "" ? from : 1);
  }

  /** The first line, from one on, in which the expression matches; a match may reach over lines. */
  private search(source: string, from: number): number {
    const { text } = this;
    const failed = (why: string) => new BadLineRange(`-L parameter '${source}' starting at line ${from}: ${why}`);
    try {
      const begin = text.starts[Math.min(from - 1, text.count)]!;
      const found = basicRegexp(source).exec(toLatin1(text.data.subarray(begin)));
      if (!found) throw failed("No match");
      return lineAt(text, begin + found.index) + 1;
    } catch (error) {
      throw error instanceof BadRegexp ? failed(error.message) : error;
    }
  }

  /** `:name`: from the first line that begins a function and matches to before the next one. */
  private functionLines(anchor: number): [number, number] {
    const source = this.spec.slice(this.spec.indexOf(":") + 1);
    if (source === "") throw new MalformedLineRange("");
    const { text } = this;
    const pattern = basicRegexp(source);
    const isStart = (line: number) => /^[A-Za-z_$]/.test(String.fromCharCode(text.data[text.starts[line]!] ?? 0));
    for (let line = anchor - 1; line < text.count; line++) {
      if (!isStart(line) || !pattern.test(toLatin1(text.line(line)))) continue;
      let end = line + 1;
      while (end < text.count && !isStart(end)) end++;
      return [line + 1, end];
    }
    throw new BadLineRange(`-L parameter '${source}' starting at line ${anchor}: no match`);
  }
}

function lineAt({ starts, count }: Text, offset: number): number {
  let line = 0;
  for (let end = count - 1; line < end; ) {
    const middle = (line + end + 1) >> 1;
    if (starts[middle]! <= offset) line = middle;
    else end = middle - 1;
  }
  return line;
}
