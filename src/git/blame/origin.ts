import type { Oid } from "../objects/types.ts";

/** A file in a commit that lines are, for now, blamed on. */
export interface Origin {
  /** The position `Commits` gives the commit. */
  readonly commit: number;
  /** A name as `decodeName` gives it. */
  readonly path: string;
  readonly mode: number;
  readonly oid: Oid;
  /** Lines no one has examined here yet, sorted by their place in this file. */
  suspects: Entry[];
  /** Where the file came from: the first parent's file it was compared with. */
  previous: Origin | undefined;
}

/** A run of lines that share their fate so far, in the list of the origin they are blamed on. Line numbers are 0-based. */
export interface Entry {
  /** Where the run begins in the file that was asked about. */
  line: number;
  count: number;
  /** Where it begins in the origin's file. */
  originLine: number;
  /** A commit to be ignored had changed these lines; they were passed on by likeness. */
  ignored: boolean;
  /** A commit to be ignored made these lines out of nothing. */
  unblamable: boolean;
}

export function byOriginLine(a: Entry, b: Entry): number {
  return a.originLine - b.originLine;
}

/** Cuts the entry after `count` lines and answers the rest. */
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

/** Both lists in one, sorted; of equal places those of `first` come first. */
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
 * The origins of a blame and the commits that still have suspects, the youngest first. Of a commit's origins the one
 * last used is examined first, as git does: where dates are skewed the order decides what is found when.
 */
export class Origins {
  private readonly byCommit = new Map<number, Origin[]>();

  /** The origins of a commit, last used first. */
  of(commit: number): readonly Origin[] {
    return this.byCommit.get(commit) ?? [];
  }

  /** Undefined when no one has been suspected there. */
  find(commit: number, path: string): Origin | undefined {
    const list = this.byCommit.get(commit);
    if (!list) return undefined;
    for (const origin of list) if (origin.path === path) return origin;
    return undefined;
  }

  /** The origin of that name, which comes to the front; a new one where there is none. */
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
