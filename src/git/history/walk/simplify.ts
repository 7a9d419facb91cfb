import type { PathFilter } from "../../diff/paths.ts";
import { FilterState } from "../filter-state.ts";
import { PathState } from "../path-state.ts";
import { PARSED, SAME, type WalkState } from "./state.ts";

/**
 * git's simplification of history to paths (git-log(1), "History Simplification", default mode): a merge that took the
 * paths from one parent as they are continues with that parent alone, and a commit that left them alone is not shown.
 */
export class Simplifier {
  private readonly paths: readonly (PathState | FilterState)[];

  constructor(
    private readonly state: WalkState,
    paths: readonly string[],
    filter: PathFilter | undefined,
    private readonly firstParent: boolean,
  ) {
    // The empty path is the root directory, which holds every other.
    const wanted = paths.includes("") ? [""] : [...new Set(paths)];
    this.paths = filter
      ? [new FilterState(state.commits, filter)]
      : wanted.map((path) => new PathState(state.commits, path));
  }

  /** Judges a commit whose parents may be uninteresting by now; what is learned of them later changes nothing. */
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
      // To compare with a parent is to read it.
      state.flags.add(parent, PARSED);
      if (this.isSame(position, parent, i === 0)) {
        // A side that is left out may have brought everything: the others are followed all the same.
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

  /** The most common case by far: filters say that the first parent has everything as it is. */
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
