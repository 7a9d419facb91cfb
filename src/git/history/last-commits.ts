import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import { encodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { DirectoryStates } from "./directory-states.ts";
import { descentKey } from "./paint.ts";
import { PathState } from "./path-state.ts";

/** Entries whose search stopped at a commit: they are there as they are in the listing. */
export interface Pending {
  readonly commit: Oid;
  readonly names: readonly string[];
}

export interface LastCommits {
  /** The directory's entries, in the order of its tree. */
  readonly names: readonly string[];
  /** For each entry found so far, the commit that last changed it. */
  readonly found: Map<string, Oid>;
  /** What is left when the time was over; hand it back to go on. */
  readonly pending: Pending[];
}

export interface LastCommitsOptions {
  /** Stop after about this long; without it, only when all is found. */
  readonly budgetMs?: number;
  /** Where an earlier search of the same directory of the same commit stopped. */
  readonly pending?: readonly Pending[];
  /** Answers for the same directory of an ancestor: whatever did not change since is taken from them. */
  readonly previous?: { readonly commit: Oid; readonly found: ReadonlyMap<string, Oid> };
}

/** While fewer entries than this are searched for together, their own filters are asked before trees are read. */
const FEW = 24;

/**
 * For each entry of a directory the commit that last changed it, as `git log -1 -- path` names it: one walk for all.
 * @param directory a path as `decodeName` gives it, without slashes at the ends; empty for the root directory
 * @returns nothing found when the commit has no such directory
 * @throws CorruptObject when a commit or tree on the way is missing
 */
export function lastCommits(
  commits: Commits,
  commit: Oid,
  directory: string,
  options: LastCommitsOptions = {},
): LastCommits {
  const search = new Search(commits, commits.positionOf(commit), directory, options);
  return search.run(options.budgetMs ?? Number.POSITIVE_INFINITY);
}

class Search {
  private readonly found = new Map<string, Oid>();
  private readonly states: DirectoryStates;
  private readonly path: PathState;
  private readonly queue = new PriorityQueue<number>();
  /** Entries, by index, that stand at a commit as they stand in the listing. */
  private readonly groups = new Map<number, number[]>();
  private readonly keys: (BloomKey | undefined)[];
  private readonly previousAt: number;

  constructor(
    private readonly commits: Commits,
    start: number,
    private readonly directory: string,
    private readonly options: LastCommitsOptions,
  ) {
    this.path = new PathState(commits, directory);
    this.states = new DirectoryStates(commits.store, this.path.at(start));
    this.keys = new Array(this.states.names.length);
    this.previousAt = options.previous ? (commits.find(options.previous.commit) ?? -1) : -1;
    if (options.pending) {
      const places = new Map(this.states.names.map((name, i) => [name, i]));
      for (const { commit, names } of options.pending) {
        const entries = names.flatMap((name) => places.get(name) ?? []);
        this.add(
          commits.positionOf(commit),
          entries.sort((a, b) => a - b),
        );
      }
    } else this.add(start, [...this.states.names.keys()]);
  }

  run(budgetMs: number): LastCommits {
    const deadline = performance.now() + budgetMs;
    for (let steps = 1; ; steps++) {
      // A step is some microseconds, or some trees: looking at the clock costs less than either.
      if ((steps & 3) === 0 && performance.now() > deadline) break;
      const position = this.queue.pop();
      if (position === undefined) break;
      const entries = this.groups.get(position);
      if (!entries) continue;
      this.groups.delete(position);
      this.step(position, entries);
    }
    const pending = [...this.groups].map(([position, entries]) => ({
      commit: this.commits.oidOf(position),
      names: entries.map((entry) => this.states.names[entry]!),
    }));
    return { names: this.states.names, found: this.found, pending };
  }

  /** Sends each entry on to the first parent that has it as it is; this commit changed what no parent has so. */
  private step(position: number, entries: number[]): void {
    if (position === this.previousAt) {
      const rest = entries.filter((entry) => !this.takePrevious(entry));
      if (rest.length === 0) return;
      entries = rest;
    }
    const first = this.commits.firstParentOf(position);
    if (first < 0) {
      this.answer(position, entries);
      return;
    }
    if (!this.mayChange(position, entries)) {
      this.add(first, entries);
      return;
    }
    let left = entries;
    for (const parent of this.commits.parentsOf(position)) {
      const { same, other } = this.compare(position, parent, left);
      if (same.length > 0) this.add(parent, same);
      left = other;
      if (left.length === 0) return;
    }
    this.answer(position, left);
  }

  private compare(position: number, parent: number, entries: number[]): { same: number[]; other: number[] } {
    const here = this.path.at(position);
    return here ? this.states.split(here, this.path.at(parent), entries) : { same: [], other: entries };
  }

  private mayChange(position: number, entries: readonly number[]): boolean {
    if (!this.path.mayChange(position)) return false;
    if (entries.length > FEW) return true;
    return entries.some((entry) => this.commits.mayChange(position, this.keyOf(entry)));
  }

  private keyOf(entry: number): BloomKey {
    let key = this.keys[entry];
    if (!key) {
      const name = this.states.names[entry]!;
      key = bloomKey(encodeName(this.directory === "" ? name : `${this.directory}/${name}`));
      this.keys[entry] = key;
    }
    return key;
  }

  private takePrevious(entry: number): boolean {
    const name = this.states.names[entry]!;
    const oid = this.options.previous?.found.get(name);
    if (oid !== undefined) this.found.set(name, oid);
    return oid !== undefined;
  }

  private answer(position: number, entries: readonly number[]): void {
    const oid = this.commits.oidOf(position);
    for (const entry of entries) this.found.set(this.states.names[entry]!, oid);
  }

  private add(position: number, entries: number[]): void {
    if (entries.length === 0) return;
    const there = this.groups.get(position);
    if (there)
      this.groups.set(
        position,
        [...there, ...entries].sort((a, b) => a - b),
      );
    else {
      this.groups.set(position, entries);
      this.queue.push(position, descentKey(this.commits, position));
    }
  }
}
