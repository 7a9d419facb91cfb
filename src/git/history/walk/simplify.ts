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
    // The empty path is the root folder, which holds every other.
    const wanted = paths.includes("") ? [""] : [...new Set(paths)];
    this.paths = filter
      ? [new FilterState(state.commits, filter)]
      : wanted.map((path) => new PathState(state.commits, path));
  }

  /** Judges a commit whose parents may be uninteresting by now; what is learned of them later changes nothing. */
  judge(number: number): void {
    const { state } = this;
    if (this.followsFirst(number)) return;
    const parents = state.parentsOf(number);
    if (parents.length === 0) {
      if (this.paths.every((path) => path.isNothing(number))) state.marks.add(number, SAME);
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
      state.marks.add(parent, PARSED);
      if (this.isSame(number, parent, i === 0)) {
        // A side that is left out may have brought everything: the others are followed all the same.
        if (!relevant) continue;
        if (parents.length > 1) state.setParents(number, [parent]);
        state.marks.add(number, SAME);
        return;
      }
      if (relevant) relevantChange = true;
      else irrelevantChange = true;
    }
    if (relevantParents > 0 ? !relevantChange : !irrelevantChange) state.marks.add(number, SAME);
  }

  /** The most common case by far: filters say that the first parent has everything as it is. */
  private followsFirst(number: number): boolean {
    const { state } = this;
    const { commits } = state;
    const first = commits.firstParentOf(number);
    if (first < 0 || !state.isRelevant(first)) return false;
    for (const path of this.paths) if (path.mayChange(number)) return false;
    if (commits.secondParentOf(number) !== -1) state.setParents(number, [first]);
    state.marks.add(number, SAME);
    return true;
  }

  private isSame(number: number, parent: number, isFirst: boolean): boolean {
    for (const path of this.paths) {
      if (isFirst && !path.mayChange(number)) continue;
      if (!path.same(number, parent)) return false;
    }
    return true;
  }
}
