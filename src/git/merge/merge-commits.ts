import { GitError } from "../errors.ts";
import type { Commits } from "../graph/commits.ts";
import { mergeBases, mergeBasesOfMany } from "../history/ancestry.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { Abbreviator } from "../pretty/abbreviate.ts";
import { type MergeLabels, type MergeOptions, mergeTrees } from "./merge-trees.ts";
import type { MergeResult } from "./result.ts";

/** Two commits have no common ancestor, and merging unrelated histories was not allowed. */
export class UnrelatedHistories extends GitError {
  override name = "UnrelatedHistories";
  constructor() {
    super("refusing to merge unrelated histories");
  }
}

/** Two commits have too many common ancestors to merge them into one. */
export class TooManyBases extends GitError {
  override name = "TooManyBases";
}

export interface MergeCommitsOptions extends MergeOptions {
  /** Names of the sides in markers and messages, as returned by `decodeName`; their ids by default. */
  readonly labels?: Partial<MergeLabels> | undefined;
  readonly allowUnrelated?: boolean | undefined;
}

/** Maximum number of base merges per merge; git has no limit, and real histories need a handful. */
const MAX_VIRTUAL_MERGES = 500;

/**
 * Merges two commits as `git merge-tree --write-tree OURS THEIRS` does. Multiple common ancestors are first merged into
 * one, including conflict markers. Nothing is written: new objects are in the overlay.
 * @throws UnrelatedHistories, TooManyBases; CorruptObject when an object is missing or malformed; TreeTooLarge
 */
export function mergeCommits(
  commits: Commits,
  store: Overlay,
  ours: Oid,
  theirs: Oid,
  options: MergeCommitsOptions = {},
): MergeResult {
  const bases = mergeBases(commits, ours, theirs);
  if (bases.length === 0 && !options.allowUnrelated) throw new UnrelatedHistories();
  const labels = { base: "", ours: options.labels?.ours ?? ours, theirs: options.labels?.theirs ?? theirs };
  const merge = new CommitMerge(commits, store, options);
  const treeOf = (oid: Oid) => commits.treeOf(commits.positionOf(oid));
  return merge.run(bases, treeOf(ours), treeOf(theirs), labels, 0);
}

/** A commit, or the virtual merge of several. */
interface Virtual {
  readonly tree: Oid;
  readonly parts: readonly Oid[];
}

class CommitMerge {
  private mergesLeft = MAX_VIRTUAL_MERGES;

  constructor(
    private readonly commits: Commits,
    private readonly store: Overlay,
    private readonly options: MergeCommitsOptions,
  ) {}

  /** @param bases newest first */
  run(bases: readonly Oid[], ours: Oid, theirs: Oid, labels: MergeLabels, depth: number): MergeResult {
    const base = this.baseOf([...bases].reverse(), depth);
    const baseLabel =
      this.options.labels?.base ??
      (bases.length === 0 ? "empty tree" : bases.length > 1 ? "merged common ancestors" : this.abbreviated(bases[0]!));
    return mergeTrees(this.store, {
      base,
      ours,
      theirs,
      labels: { ...labels, base: baseLabel },
      options: this.options,
      depth,
    });
  }

  /** Only styles that show the base show its label, so only they need the abbreviated id. */
  private abbreviated(oid: Oid): string {
    if ((this.options.style ?? "merge") === "merge") return oid;
    return new Abbreviator(this.commits.store).abbreviate(oid);
  }

  /** Merges all bases, given oldest first, into one tree. */
  private baseOf(bases: readonly Oid[], depth: number): Oid {
    const [first, ...others] = bases;
    if (first === undefined) return this.store.put("tree", new Uint8Array(0));
    let merged: Virtual = { tree: this.treeOf(first), parts: [first] };
    for (const other of others) {
      if (this.mergesLeft-- === 0) throw new TooManyBases("the histories have too many common ancestors to be merged");
      const labels = { base: "", ours: "Temporary merge branch 1", theirs: "Temporary merge branch 2" };
      const inner = this.run(
        mergeBasesOfMany(this.commits, other, merged.parts),
        merged.tree,
        this.treeOf(other),
        labels,
        depth + 1,
      );
      merged = { tree: inner.tree, parts: [...merged.parts, other] };
    }
    return merged.tree;
  }

  private treeOf(oid: Oid): Oid {
    return this.commits.treeOf(this.commits.positionOf(oid));
  }
}
