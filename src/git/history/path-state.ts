import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import { encodeName } from "../objects/names.ts";
import { isTreeMode, MODE_GITLINK, MODE_TREE } from "../objects/tree.ts";
import { type FoundEntry, findEntry, openTree } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";

/** Number of cached lookups in trees; a walk visits neighbours, so a few thousand are enough. */
const REMEMBERED = 4096;
const UNKNOWN = 0;

/**
 * The entry at one path in many commits. A commit's entry is passed on to its first parent where the Bloom filters say
 * that nothing changed between them, so that most comparisons read one tree instead of two.
 */
export class PathState {
  private readonly parts: string[];
  private readonly keys: BloomKey[];
  /** For each commit an index into `entries`, plus one. */
  private cached: Uint32Array;
  private readonly entries: (FoundEntry | undefined)[] = [];
  private readonly places = new Map<string, number>();
  private readonly atTree: Map<Oid, FoundEntry | undefined>[];

  private readonly onlyDirectory: boolean;

  /**
   * @param path encoded as by `decodeName`; empty for the root directory. With a trailing slash it matches only a
   * directory or submodule, not a file
   */
  constructor(
    private readonly commits: Commits,
    path: string,
  ) {
    this.onlyDirectory = path.endsWith("/");
    const bytes = Buffer.from(encodeName(path)).toString("latin1").replace(/\/$/, "");
    this.parts = bytes === "" ? [] : bytes.split("/");
    this.keys = this.parts.map((_, i) => bloomKey(Buffer.from(this.parts.slice(0, i + 1).join("/"), "latin1")));
    this.atTree = this.parts.map(() => new Map());
    this.cached = new Uint32Array(Math.max(commits.size, 64));
  }

  /** False if the commit certainly did not change the path relative to its first parent. */
  mayChange(commit: number): boolean {
    // The deepest path is the most likely to settle it.
    for (let i = this.keys.length - 1; i >= 0; i--) {
      if (this.commits.mayChange(commit, this.keys[i]!)) continue;
      this.handOn(commit);
      return false;
    }
    return true;
  }

  private handOn(commit: number): void {
    const place = this.cached[commit] ?? UNKNOWN;
    if (place !== UNKNOWN) this.remember(this.commits.firstParentOf(commit), place);
  }

  private remember(commit: number, place: number): void {
    if (commit < 0) return;
    if (commit >= this.cached.length) {
      const grown = new Uint32Array(Math.max(commit + 1, this.cached.length * 2));
      grown.set(this.cached);
      this.cached = grown;
    }
    this.cached[commit] = place;
  }

  /** Undefined if the commit has nothing there. @throws CorruptObject when a tree is missing or malformed */
  at(commit: number): FoundEntry | undefined {
    return this.entries[this.placeOf(commit) - 1];
  }

  /** Whether the path is the same in two commits. */
  same(a: number, b: number): boolean {
    return this.placeOf(a) === this.placeOf(b);
  }

  /** Equal entries share one index. */
  private placeOf(commit: number): number {
    const cached = this.cached[commit] ?? UNKNOWN;
    if (cached !== UNKNOWN) return cached;
    let found: FoundEntry | undefined = { mode: MODE_TREE, oid: this.commits.treeOf(commit) };
    for (let i = 0; i < this.parts.length && found; i++) {
      found = isTreeMode(found.mode) ? this.inTree(found.oid, i) : undefined;
    }
    if (found && this.onlyDirectory && !isTreeMode(found.mode) && found.mode !== MODE_GITLINK) found = undefined;
    const key = found ? `${found.mode} ${found.oid}` : "";
    let place = this.places.get(key);
    if (place === undefined) {
      place = this.entries.push(found);
      this.places.set(key, place);
    }
    this.remember(commit, place);
    return place;
  }

  /** Whether the commit has nothing there, or an empty directory, which counts as nothing. */
  isNothing(commit: number): boolean {
    const found = this.at(commit);
    return found === undefined || found.oid === this.commits.store.format.emptyTree;
  }

  private inTree(tree: Oid, depth: number): FoundEntry | undefined {
    const cached = this.atTree[depth]!;
    if (cached.has(tree)) return cached.get(tree);
    const found = findEntry(openTree(this.commits.store, tree), this.parts[depth]!);
    if (cached.size >= REMEMBERED) cached.clear();
    cached.set(tree, found);
    return found;
  }
}
