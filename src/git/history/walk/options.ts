import type { PathFilter } from "../../diff/paths.ts";
import type { Oid } from "../../objects/types.ts";
import type { CommitMatch } from "./match.ts";

/** Where a walk begins, or what it is to leave out. */
export interface WalkStart {
  readonly oid: Oid;
  /**
   * "wanted": it and its ancestors; "not": neither it nor its ancestors; "left": wanted, as the left one of
   * `left...right`.
   */
  readonly side: "wanted" | "not" | "left";
}

/**
 * "date" shows the newest first, as they are met; the others never show a commit before all its children: "topo" keeps
 * lines of work together, "topo-date" and "topo-author" go by committer and author dates.
 */
export type WalkOrder = "date" | "topo" | "topo-date" | "topo-author";

/** What a walk over history shows, as `git rev-list` has it. */
export interface WalkOptions {
  readonly starts: readonly WalkStart[];
  /** Only commits that changed one of these files or directories (`dir/`: a directory), with git's simplification of history. */
  readonly paths?: readonly string[] | undefined;
  /** The same for paths that patterns name; `paths` do not count beside it. */
  readonly filter?: PathFilter | undefined;
  /** Follow first parents only. */
  readonly firstParent?: boolean | undefined;
  readonly order?: WalkOrder | undefined;
  /** Committer times in seconds since 1970, both inclusive. Older commits end the walk, as they do in git. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Numbers of parents, in the simplified history where there are paths. */
  readonly minParents?: number | undefined;
  readonly maxParents?: number | undefined;
  /** Asked last, since it costs the reading of the commit. */
  readonly match?: CommitMatch | undefined;
  /** Commits to leave out before the first one, and to show at most. */
  readonly skip?: number | undefined;
  readonly limit?: number | undefined;
  /** With paths: show which shown commit follows which (`--parents`), and keep the merges this needs. */
  readonly rewriteParents?: boolean | undefined;
  /** After all others, the commits where the walk was told to stop. */
  readonly boundary?: boolean | undefined;
  /**
   * What is reachable from the left-out commits is left out even where wrong clocks keep git from noticing. Git itself
   * walks by date and gives up looking after a few commits.
   */
  readonly exact?: boolean | undefined;
  /** Commits that were read before the walk: what git excludes depends on it where clocks are wrong. */
  readonly parsed?: readonly number[] | undefined;
}
