import type { Oid } from "../objects/types.ts";
import type { BlameOptions } from "./blame.ts";
import type { BlamedFile, BlameRange } from "./result.ts";

/**
 * A finished blame that later ones can start from: when the walk of a newer commit reaches this commit's file, the
 * results for the remaining lines are known. Plain data, a few numbers per range, so that callers can store it.
 */
export interface BlameMemory {
  readonly version: 1;
  readonly tip: Oid;
  readonly path: string;
  /** How lines were compared: this blame is of no use with other options. */
  readonly manner: string;
  /** For each file its commit, path, boundary (0: none, 1: root), and the previous file's commit and path, if any. */
  readonly files: readonly (readonly [
    commit: Oid,
    path: string,
    boundary: number,
    previousCommit?: Oid,
    previousPath?: string,
  ])[];
  /**
   * Four numbers per range, in line order: line count, file index, line in that file, 1 if ignored + 2 if unblamable.
   */
  readonly ranges: readonly number[];
}

/**
 * Identifies options whose blames can start from each other. Undefined if none can: where lines were moved depends on
 * which lines are requested, and a boundary applies only to its range.
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

/** @param ranges of the whole file, joined; returns undefined if other blames cannot use it */
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

/** The ranges of a finished blame, for lookup by line. */
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

  /** Number of lines in the blame. */
  get count(): number {
    const last = this.ranges.at(-1);
    return last ? last.line + last.count : 0;
  }

  /** The known ranges of lines `from` to `to`, clipped to them. */
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
