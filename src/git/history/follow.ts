import type { FileChange } from "../diff/change.ts";
import { findRenames, MAX_SCORE } from "../diff/renames.ts";
import { diffTrees, type RawChange, TreeTooLarge } from "../diff/tree.ts";
import type { Commits } from "../graph/commits.ts";
import { decodeName, encodeName } from "../objects/names.ts";
import { isTreeMode } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import { PathState } from "./path-state.ts";

/** A larger tree is not searched for the origin of a file. */
const MAX_TREES = 200_000;

/**
 * Follows a file through renames, as `git log --follow` does: commits are examined one by one, children first, and
 * where the file was added, the most similar file of the parent (even if that still exists) becomes the path from there
 * on. There is only one path at a time: as in git, parallel lines of history are not distinguished.
 */
export class Follower {
  private state: PathState;
  private lastRename: FileChange | undefined;

  /** @param path encoded as by `decodeName` */
  constructor(
    private readonly commits: Commits,
    private current: string,
    private readonly firstParent = false,
  ) {
    this.state = new PathState(commits, current);
  }

  /** The file's path in the commits examined next. */
  get path(): string {
    return this.current;
  }

  /** The rename in the commit examined last; undefined if there was none. */
  get renamed(): FileChange | undefined {
    return this.lastRename;
  }

  /**
   * Whether the commit changed the file. Merges never do, unless only first parents are followed.
   * @throws CorruptObject when an object on the way is missing
   */
  changes(position: number): boolean {
    this.lastRename = undefined;
    const parents = this.commits.parentsOf(position);
    if (parents.length > 1 && !this.firstParent) return false;
    const parent = parents[0];
    if (parent === undefined) return !this.state.isNothing(position);
    if (!this.state.mayChange(position) || this.state.same(position, parent)) return false;
    const now = this.state.at(position);
    if (now && !isTreeMode(now.mode) && !this.state.at(parent)) this.lookForSource(position, parent);
    return true;
  }

  private lookForSource(position: number, parent: number): void {
    const { commits } = this;
    const rename = sourceOf(commits, commits.treeOf(parent), commits.treeOf(position), this.current);
    if (!rename) return;
    this.lastRename = rename;
    this.current = rename.oldPath;
    this.state = new PathState(commits, this.current);
  }
}

/** The file of the old tree from which a new file in the other tree was most likely made. */
function sourceOf(commits: Commits, oldTree: Oid, newTree: Oid, path: string): FileChange | undefined {
  const wanted = Buffer.from(encodeName(path)).toString("latin1");
  const changed = new Map<string, RawChange>();
  const candidates: RawChange[] = [];
  const { store } = commits;
  try {
    diffTrees(store, oldTree, newTree, (change) => Boolean(changed.set(change.path, change)), { maxTrees: MAX_TREES });
    diffTrees(
      store,
      oldTree,
      undefined,
      ({ path: at, oldMode, oldOid }) => {
        candidates.push(changed.get(at) ?? { path: at, oldMode, newMode: oldMode, oldOid, newOid: oldOid });
        return true;
      },
      { maxTrees: MAX_TREES },
    );
  } catch (error) {
    if (error instanceof TreeTooLarge) return undefined;
    throw error;
  }
  const target = changed.get(wanted);
  if (!target) return undefined;
  const pair = findRenames(store, [...candidates, target], { copies: true, copiesHarder: true }).get(target);
  if (!pair) return undefined;
  const { from, score } = pair;
  return {
    status: from.newMode === 0 ? "renamed" : "copied",
    oldPath: decodeName(Buffer.from(from.path, "latin1")),
    newPath: path,
    oldMode: from.oldMode,
    newMode: target.newMode,
    oldOid: from.oldOid,
    newOid: target.newOid,
    similarity: Math.floor((score * 100) / MAX_SCORE),
  };
}
