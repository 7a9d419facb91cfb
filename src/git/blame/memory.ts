import type { Oid } from "../objects/types.ts";
import type { BlameOptions } from "./blame.ts";
import type { BlamedFile, BlameRange } from "./result.ts";

/**
 * A finished blame to start later ones from: when the walk of a newer commit comes to this commit's file, the lines it
 * brings along are known. Plain data, a few numbers a range, for whoever wants to store it.
 */
export interface BlameMemory {
  readonly version: 1;
  readonly tip: Oid;
  readonly path: string;
  /** How lines were compared: a blame with other options has no use for this one. */
  readonly manner: string;
  /** Commit, path, boundary (0: none, 1: root), and the previous file's commit and path, if any, of each file. */
  readonly files: readonly (readonly [
    commit: Oid,
    path: string,
    boundary: number,
    previousCommit?: Oid,
    previousPath?: string,
  ])[];
  /** Four numbers a range, in order of lines: how many lines, the file's index, the line there, 1 ignored + 2 unblamable. */
  readonly ranges: readonly number[];
}

/**
 * What tells whether a blame may start from another; undefined when none may: where lines were moved depends on which
 * lines are asked for, and a boundary is one for its range only.
 */
export function mannerOf(options: BlameOptions): string | undefined {
  if (options.moves !== undefined || options.copies || options.not?.length) return undefined;
  const { ignoreAllSpace, ignoreSpaceChange, ignoreSpaceAtEol, ignoreCrAtEol } = options.whitespace ?? {};
  const flags = [
    ignoreAllSpace,
    ignoreSpaceChange,
    ignoreSpaceAtEol,
    ignoreCrAtEol,
    options.minimal,
    options.firstParent,
  ];
  return [flags.map((flag) => (flag ? "1" : "0")).join(""), ...[...(options.ignored ?? [])].sort()].join(" ");
}

/** @param ranges of the whole file, joined; undefined when such a blame is no use to others */
export function rememberBlame(options: BlameOptions, ranges: readonly BlameRange[]): BlameMemory | undefined {
  const manner = mannerOf(options);
  if (manner === undefined || options.lines) return undefined;
  const places = new Map<BlamedFile, number>();
  const numbers: number[] = [];
  for (const { file, count, originLine, ignored, unblamable } of ranges) {
    let place = places.get(file);
    if (place === undefined) {
      place = places.size;
      places.set(file, place);
    }
    numbers.push(count, place, originLine, (ignored ? 1 : 0) + (unblamable ? 2 : 0));
  }
  const files = [...places.keys()].map(({ commit, path, boundary, previous }) => {
    const own = [commit, path, boundary === "root" ? 1 : 0] as const;
    return previous ? ([...own, previous.commit, previous.path] as const) : own;
  });
  return { version: 1, tip: options.tip, path: options.path, manner, files, ranges: numbers };
}

/** The ranges of a finished blame, parsed up by line. */
export class RememberedLines {
  private readonly ranges: BlameRange[] = [];

  constructor(memory: BlameMemory) {
    const files = memory.files.map(([commit, path, boundary, previousCommit, previousPath]): BlamedFile => {
      const previous =
        previousCommit === undefined || previousPath === undefined
          ? undefined
          : { commit: previousCommit, path: previousPath };
      return { commit, path, boundary: boundary === 1 ? "root" : undefined, previous };
    });
    let line = 0;
    const numbers = memory.ranges;
    for (let at = 0; at + 3 < numbers.length; at += 4) {
      const [count, place, originLine, flags] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!];
      const file = files[place];
      if (!file) break;
      const ignored = (flags & 1) !== 0;
      this.ranges.push({ line, count, file, originLine, ignored, unblamable: (flags & 2) !== 0 });
      line += count;
    }
  }

  /** Lines the blame knew. */
  get count(): number {
    const last = this.ranges.at(-1);
    return last ? last.line + last.count : 0;
  }

  /** The known ranges of lines `from` to `to`, cut to them. */
  *between(from: number, to: number): Generator<BlameRange> {
    let low = 0;
    for (let high = this.ranges.length; low < high; ) {
      const middle = (low + high) >> 1;
      const range = this.ranges[middle]!;
      if (range.line + range.count <= from) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < this.ranges.length && this.ranges[at]!.line < to; at++) {
      const range = this.ranges[at]!;
      const start = Math.max(from, range.line);
      const end = Math.min(to, range.line + range.count);
      yield { ...range, line: start, count: end - start, originLine: range.originLine + start - range.line };
    }
  }
}
