import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import { encodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { DirectoryStates } from "./directory-states.ts";
import { descentKey } from "./paint.ts";
import { PathState } from "./path-state.ts";

/** Entries whose search stopped at a commit, where they are still the same as in the listing. */
export interface Pending {
  readonly commit: Oid;
  readonly names: readonly string[];
}

export interface LastCommits {
  /** The directory's entries, in tree order. */
  readonly names: readonly string[];
  /** The commit that last changed each entry found so far. */
  readonly found: Map<string, Oid>;
  /** The rest when time ran out; pass it back to continue. */
  readonly pending: Pending[];
}

export interface LastCommitsOptions {
  /** Stop after about this long; if omitted, only when everything is found. */
  readonly budgetMs?: number;
  /** Where an earlier search of the same directory and commit stopped. */
  readonly pending?: readonly Pending[];
  /** Results for the same directory of an ancestor: they are used for every entry unchanged since. */
  readonly previous?: { readonly commit: Oid; readonly found: ReadonlyMap<string, Oid> };
}

/** When fewer entries than this are searched together, their Bloom filters are checked before reading trees. */
const FEW = 24;

/**
 * Finds the commit that last changed each entry of a directory, as `git log -1 -- path` does, in one walk for all.
 * @param directory encoded as by `decodeName`, without leading or trailing slash; empty for the root directory
 * @returns nothing found if the commit has no such directory
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
  /** For each commit, the indexes of entries that are still the same there as in the listing. */
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
      // A step takes some microseconds, or reads some trees: checking the clock costs less than either.
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

  /**
   * Passes each entry to the first parent that has it unchanged; this commit changed the entries that no parent has.
   */
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
