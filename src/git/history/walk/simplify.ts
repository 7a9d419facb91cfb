import type { PathFilter } from "../../diff/paths.ts";
import { FilterState } from "../filter-state.ts";
import { PathState } from "../path-state.ts";
import { PARSED, SAME, type WalkState } from "./state.ts";

/**
 * git's simplification of history to paths (git-log(1), "History Simplification", default mode): a merge with the same
 * paths as one parent continues with that parent alone, and a commit that did not change the paths is not shown.
 */
export class Simplifier {
  private readonly paths: readonly (PathState | FilterState)[];

  constructor(
    private readonly state: WalkState,
    paths: readonly string[],
    filter: PathFilter | undefined,
    private readonly firstParent: boolean,
  ) {
    // The empty path is the root directory, which contains all others.
    const wanted = paths.includes("") ? [""] : [...new Set(paths)];
    this.paths = filter
      ? [new FilterState(state.commits, filter)]
      : wanted.map((path) => new PathState(state.commits, path));
  }

  /**
   * Evaluates a commit, whose parents may already be uninteresting; anything learned about them later has no effect.
   */
  judge(position: number): void {
    const { state } = this;
    if (this.followsFirst(position)) return;
    const parents = state.parentsOf(position);
    if (parents.length === 0) {
      if (this.paths.every((path) => path.isNothing(position))) state.flags.add(position, SAME);
      return;
    }
    let relevantParents = 0;
    let relevantChange = false;
    let irrelevantChange = false;
    for (let i = 0; i < parents.length; i++) {
      const parent = parents[i]!;
      const relevant = state.isRelevant(parent);
      if (relevant) relevantParents++;
      if (i === 1 && this.firstParent) break;
      // Comparing with a parent implies reading it.
      state.flags.add(parent, PARSED);
      if (this.isSame(position, parent, i === 0)) {
        // An excluded side may have brought everything: the others are followed nevertheless.
        if (!relevant) continue;
        if (parents.length > 1) state.setParents(position, [parent]);
        state.flags.add(position, SAME);
        return;
      }
      if (relevant) relevantChange = true;
      else irrelevantChange = true;
    }
    if (relevantParents > 0 ? !relevantChange : !irrelevantChange) state.flags.add(position, SAME);
  }

  /** By far the most common case: the filters say that nothing changed relative to the first parent. */
  private followsFirst(position: number): boolean {
    const { state } = this;
    const { commits } = state;
    const first = commits.firstParentOf(position);
    if (first < 0 || !state.isRelevant(first)) return false;
    for (const path of this.paths) if (path.mayChange(position)) return false;
    state.followFirst(position);
    state.flags.add(position, SAME);
    return true;
  }

  private isSame(position: number, parent: number, isFirst: boolean): boolean {
    for (const path of this.paths) {
      if (isFirst && !path.mayChange(position)) continue;
      if (!path.same(position, parent)) return false;
    }
    return true;
  }
}
