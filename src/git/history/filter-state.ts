import type { PathFilter } from "../diff/paths.ts";
import { diffTrees } from "../diff/tree.ts";
import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";

/** Number of compared pairs of trees to cache. */
const REMEMBERED = 4096;

/** The state of the paths a filter selects, at many commits: like `PathState`, for patterns and exclusions. */
export class FilterState {
  private readonly cached = new Map<string, boolean>();
  private readonly keys: readonly BloomKey[] | undefined;

  constructor(
    private readonly commits: Commits,
    private readonly filter: PathFilter,
  ) {
    this.keys = filter.roots?.map((root) => bloomKey(Buffer.from(root, "latin1")));
  }

  /** False if the commit certainly did not change the paths relative to its first parent. */
  mayChange(commit: number): boolean {
    return this.keys?.some((key) => this.commits.mayChange(commit, key)) ?? true;
  }

  /**
   * Whether two commits are the same at all selected paths. @throws CorruptObject when a tree is missing or malformed
   */
  same(a: number, b: number): boolean {
    return this.isSame(this.commits.treeOf(a), this.commits.treeOf(b));
  }

  /** Whether the commit has none of the selected paths. */
  isNothing(commit: number): boolean {
    return this.isSame(undefined, this.commits.treeOf(commit));
  }

  private isSame(a: Oid | undefined, b: Oid): boolean {
    if (a === b) return true;
    const key = `${a} ${b}`;
    let same = this.cached.get(key);
    if (same === undefined) {
      same = diffTrees(this.commits.store, a, b, () => false, { paths: this.filter });
      if (this.cached.size >= REMEMBERED) this.cached.clear();
      this.cached.set(key, same);
    }
    return same;
  }
}
