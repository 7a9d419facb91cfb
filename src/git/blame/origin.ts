import type { Oid } from "../objects/types.ts";

/** A file in a commit on which lines are currently blamed. */
export interface Origin {
  /** The commit's position in `Commits`. */
  readonly commit: number;
  /** Encoded as by `decodeName`. */
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
  /** Lines not examined here yet, sorted by their position in this file. */
  suspects: Entry[];
  /** Where the file came from: the first parent file it was compared with. */
  previous: Origin | undefined;
}

/**
 * A run of lines with the same blame so far, in the list of the origin they are blamed on. Line numbers are 0-based.
 */
export interface Entry {
  /** Where the run begins in the file being blamed. */
  line: number;
  count: number;
  /** Where it begins in the origin's file. */
  originLine: number;
  /** An ignored commit changed these lines; they were passed on by likeness. */
  ignored: boolean;
  /** An ignored commit added these lines, and they resemble nothing before it. */
  unblamable: boolean;
}

export function byOriginLine(a: Entry, b: Entry): number {
  return a.originLine - b.originLine;
}

/** Splits the entry after `count` lines and returns the rest. */
export function splitEntry(entry: Entry, count: number): Entry {
  const rest = {
    ...entry,
    line: entry.line + count,
    originLine: entry.originLine + count,
    count: entry.count - count,
  };
  entry.count = count;
  return rest;
}

/** Merges two sorted lists; on ties, entries of `first` come first. */
export function mergeEntries(first: readonly Entry[], second: readonly Entry[]): Entry[] {
  const merged: Entry[] = [];
  let a = 0;
  let b = 0;
  while (a < first.length && b < second.length) {
    merged.push(first[a]!.originLine <= second[b]!.originLine ? first[a++]! : second[b++]!);
  }
  while (a < first.length) merged.push(first[a++]!);
  while (b < second.length) merged.push(second[b++]!);
  return merged;
}

/**
 * The origins of a blame, by commit. As in git, the most recently used origin of a commit is examined first: with
 * skewed dates, the order affects the result.
 */
export class Origins {
  private readonly byCommit = new Map<number, Origin[]>();

  /** The origins of a commit, most recently used first. */
  of(commit: number): readonly Origin[] {
    return this.byCommit.get(commit) ?? [];
  }

  /** Undefined if that file of the commit has never been an origin. */
  find(commit: number, path: string): Origin | undefined {
    const list = this.byCommit.get(commit);
    if (!list) return undefined;
    for (const origin of list) if (origin.path === path) return origin;
    return undefined;
  }

  /** The origin for that file, which moves to the front; a new one if there is none. */
  get(commit: number, path: string, mode: number, oid: Oid): Origin {
    const list = this.byCommit.get(commit);
    const place = list ? list.findIndex((origin) => origin.path === path) : -1;
    if (list && place >= 0) {
      const found = list[place]!;
      if (place > 0) {
        list.splice(place, 1);
        list.unshift(found);
      }
      return found;
    }
    const origin = { commit, path, mode, oid, suspects: [], previous: undefined };
    if (list) list.unshift(origin);
    else this.byCommit.set(commit, [origin]);
    return origin;
  }
}
