import { findRenames } from "../diff/renames.ts";
import { diffTrees, type RawChange } from "../diff/tree.ts";
import type { Commits } from "../graph/commits.ts";
import { PathState } from "../history/path-state.ts";
import { decodeName, encodeName } from "../objects/names.ts";
import { isTreeMode } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Origin, Origins } from "./origin.ts";

/** Finds the file in a parent that a file came from. */
export class Parents {
  private readonly states = new Map<string, PathState>();

  constructor(
    private readonly commits: Commits,
    private readonly origins: Origins,
  ) {}

  /**
   * The parent's file of the same name; undefined if there is none, or if it is of another kind.
   * @param first whether `parent` is the first parent of the origin's commit
   */
  sameName(origin: Origin, parent: number, first: boolean): Origin | undefined {
    const cached = this.origins.find(parent, origin.path);
    if (cached) return cached;
    const state = this.stateOf(origin.path);
    if (first && !state.mayChange(origin.commit)) {
      return this.origins.get(parent, origin.path, origin.mode, origin.oid);
    }
    const found = state.at(parent);
    if (!found || isTreeMode(found.mode) || (found.mode & MODE_KIND) !== (origin.mode & MODE_KIND)) return undefined;
    return this.origins.get(parent, origin.path, found.mode, found.oid);
  }

  /** The deleted file that the origin's file most resembles, as `git diff -M` of the two commits finds it. */
  renamed(origin: Origin, parent: number): Origin | undefined {
    const { commits } = this;
    const wanted = latin1(origin.path);
    const changes: RawChange[] = [];
    let target: RawChange | undefined;
    diffTrees(commits.store, commits.treeOf(parent), commits.treeOf(origin.commit), (change) => {
      if (change.path === wanted) target = change;
      else if (change.newMode === 0) changes.push(change);
      return true;
    });
    if (target?.oldMode !== 0) return undefined;
    const pair = findRenames(commits.store, [...changes, target]).get(target);
    if (!pair?.from.oldOid) return undefined;
    const { path, oldMode, oldOid } = pair.from;
    return this.origins.get(parent, decodeName(Buffer.from(path, "latin1")), oldMode, oldOid);
  }

  private stateOf(path: string): PathState {
    let state = this.states.get(path);
    if (!state) {
      state = new PathState(this.commits, path);
      this.states.set(path, state);
    }
    return state;
  }
}

function latin1(path: string): string {
  return Buffer.from(encodeName(path)).toString("latin1");
}
