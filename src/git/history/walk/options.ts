import type { PathFilter } from "../../diff/paths.ts";
import type { Oid } from "../../objects/types.ts";
import type { CommitMatch } from "./match.ts";

/** Where a walk begins, or what it excludes. */
export interface WalkStart {
  readonly oid: Oid;
  /**
   * "wanted": includes it and its ancestors; "not": excludes them; "left": wanted, as the left side of `left...right`.
   */
  readonly side: "wanted" | "not" | "left";
}

/**
 * "date" shows the newest first, in the order visited; the others never show a commit before all its children: "topo"
 * keeps lines of work together, "topo-date" and "topo-author" sort by committer and author dates.
 */
export type WalkOrder = "date" | "topo" | "topo-date" | "topo-author";

/** Which commits a walk over history shows, as in `git rev-list`. */
export interface WalkOptions {
  readonly starts: readonly WalkStart[];
  /** Only commits that changed one of these files or directories (`dir/`), with git's history simplification. */
  readonly paths?: readonly string[] | undefined;
  /** The same for paths given by patterns; overrides `paths`. */
  readonly filter?: PathFilter | undefined;
  /** Follow first parents only. */
  readonly firstParent?: boolean | undefined;
  readonly order?: WalkOrder | undefined;
  /** Committer times in seconds since 1970, both inclusive. As in git, older commits end the walk. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Limits on the number of parents, in the simplified history if there are paths. */
  readonly minParents?: number | undefined;
  readonly maxParents?: number | undefined;
  /** Checked last, as it requires reading the commit. */
  readonly match?: CommitMatch | undefined;
  /** Number of commits to skip first, and maximum number to show. */
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  /** With paths: rewrite parents to shown commits (`--parents`), and keep the merges this requires. */
  readonly rewriteParents?: boolean | undefined;
  /** Also show, after all others, the boundary commits where the walk stopped. */
  readonly boundary?: boolean | undefined;
  /**
   * Excludes everything reachable from the excluded commits, even where wrong clocks keep git from noticing. Git itself
   * walks by date and stops looking after a few commits.
   */
  readonly exact?: boolean | undefined;
  /** Commits that were read before the walk: where clocks are wrong, what git excludes depends on this. */
  readonly parsed?: readonly number[] | undefined;
}
