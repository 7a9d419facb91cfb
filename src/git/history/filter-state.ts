import type { PathFilter } from "../diff/paths.ts";
import { diffTrees } from "../diff/tree.ts";
import { type BloomKey, bloomKey } from "../graph/bloom.ts";
import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";

/** Whether commits differ in what a filter of paths lets through: as `PathState`, for patterns and exclusions. */
export class FilterState {
  private readonly keys: readonly BloomKey[] | undefined;

  constructor(
    private readonly commits: Commits,
    private readonly paths: PathFilter,
  ) {
    this.keys = paths.roots?.map((root) => bloomKey(Buffer.from(root, "latin1")));
  }

  /** False when the commit certainly left the paths as its first parent has them. */
  mayChange(commit: number): boolean {
    return this.keys?.some((key) => this.commits.mayChange(commit, key)) ?? true;
  }

  /** @throws CorruptObject when a tree is missing or malformed */
  same(a: number, b: number): boolean {
    return this.sameTrees(this.commits.treeOf(a), this.commits.treeOf(b));
  }

  /** Whether the commit has nothing there. */
  isNothing(commit: number): boolean {
    return this.sameTrees(undefined, this.commits.treeOf(commit));
  }

  private sameTrees(a: Oid | undefined, b: Oid): boolean {
    return diffTrees(this.commits.store, a, b, () => false, { paths: this.paths });
  }
}
