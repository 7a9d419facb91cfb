import { isRegular } from "../diff/renames.ts";
import { MODE_GITLINK, MODE_TREE } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { mergeVersions } from "./file-merge.ts";
import { BASE, labelOf, type MergeState, NOTHING, OURS, type PathState, type Side, THEIRS } from "./state.ts";

/**
 * Decides every path and writes the trees: a directory's contents before the directory itself, so that a file with the
 * same name knows whether the directory remains.
 * @returns the root tree
 */
export function resolvePaths(state: MergeState): Oid {
  const inOrder = [...state.paths.entries()].map(([path, found]) => ({ key: `${path}/`, path, found }));
  inOrder.sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  for (const { path, found } of inOrder) {
    if (found.clean) putDecided(state, path, found);
    else resolvePath(state, path, found);
  }
  return state.directories.write("") ?? state.store.put("tree", new Uint8Array(0));
}

/** A file decided to be deleted may share its path with a directory, which stays. */
function putDecided(state: MergeState, path: string, found: PathState): void {
  const tree = found.directoryMask === 0 ? undefined : state.directories.write(path);
  if (tree !== undefined) state.directories.put(path, { mode: MODE_TREE, oid: tree });
  else if (found.result.mode !== 0) state.directories.put(path, found.result);
}

function resolvePath(state: MergeState, givenPath: string, given: PathState): void {
  let path = givenPath;
  let found = given;
  /** The side whose file must make way for a directory. */
  let displaced: Side | undefined;
  if (found.directoryMask !== 0) {
    const tree = state.directories.write(path);
    if (tree !== undefined) state.directories.put(path, { mode: MODE_TREE, oid: tree });
    if (found.fileMask === 0) return;
    if (tree === undefined) {
      found.directoryConflict = false;
      found.dropDirectories();
    } else {
      // Deleted on both sides: only the directory remains.
      if (found.fileMask === 1) return;
      const file = found.copy();
      displaced = found.directoryMask & (1 << OURS) ? THEIRS : OURS;
      file.dropDirectories();
      found.fileMask = 0;
      const newPath = freePath(state, path, labelOf(state, displaced));
      state.paths.set(newPath, file);
      state.messages.add(
        "CONFLICT (file/directory)",
        [newPath, path],
        `CONFLICT (file/directory): directory in the way of ${path} from ${labelOf(state, displaced)}; moving it to ${newPath} instead.`,
      );
      path = newPath;
      found = file;
    }
  }
  if (found.matchMask !== 0) takeChanged(found);
  else if (found.fileMask >= 6 && (found.stages[OURS].mode & MODE_KIND) !== (found.stages[THEIRS].mode & MODE_KIND))
    path = separateTypes(state, path, found);
  else if (found.fileMask >= 6) mergeBoth(state, path, found, displaced);
  else if (found.fileMask === 3 || found.fileMask === 5) modifiedAndDeleted(state, path, found);
  else if (found.fileMask === 2 || found.fileMask === 4) {
    found.result = found.stages[found.fileMask === 2 ? OURS : THEIRS];
    found.clean = !found.directoryConflict && !found.pathConflict;
  } else {
    found.result = NOTHING;
    found.clean = !found.pathConflict;
  }
  if (!found.clean) state.conflicted.set(path, found);
  if (found.result.mode !== 0) state.directories.put(path, found.result);
}

/** Two of the three versions are the same: takes the changed one. */
function takeChanged(found: PathState): void {
  found.clean = !found.directoryConflict && !found.pathConflict;
  if (found.matchMask === 6) {
    found.result = found.stages[OURS];
    return;
  }
  found.result = found.stages[found.matchMask === 3 ? THEIRS : OURS];
  if (found.result.mode === 0) found.clean = true;
}

/** A file on one side, a symlink or submodule on the other: each gets its own path. Returns the path of ours. */
function separateTypes(state: MergeState, path: string, found: PathState): string {
  found.clean = false;
  if (state.depth > 0) {
    found.result = found.stages[BASE];
    return path;
  }
  const [base, ours, theirs] = found.stages;
  const moveOurs = isRegular(ours.mode) || !isRegular(theirs.mode);
  const moveTheirs = !isRegular(ours.mode);
  const oursPath = moveOurs ? freePath(state, path, state.labels.ours) : path;
  const theirsPath = moveTheirs ? freePath(state, path, state.labels.theirs) : path;
  const moved = [...(moveOurs ? [oursPath] : []), ...(moveTheirs ? [theirsPath] : [])];
  state.messages.add(
    "CONFLICT (distinct modes)",
    [path, ...moved],
    `CONFLICT (distinct types): ${path} had different types on each side; renamed ${
      moved.length === 2 ? "both" : "one"
    } of them so each can be recorded somewhere.`,
  );
  const sameKind = (version: { readonly mode: number }) => (version.mode & MODE_KIND) === (base.mode & MODE_KIND);
  const other = found.copy();
  other.result = theirs;
  other.stages[OURS] = NOTHING;
  other.fileMask = sameKind(theirs) ? 5 : 4;
  if (!sameKind(theirs)) other.stages[BASE] = NOTHING;
  found.result = ours;
  found.stages[THEIRS] = NOTHING;
  found.fileMask = sameKind(ours) ? 3 : 2;
  if (!sameKind(ours)) found.stages[BASE] = NOTHING;
  if (moveOurs && moveTheirs) state.paths.delete(path);
  if (moveOurs) state.paths.set(oursPath, found);
  state.paths.set(theirsPath, other);
  state.conflicted.set(theirsPath, other);
  state.directories.put(theirsPath, other.result);
  return oursPath;
}

function mergeBoth(state: MergeState, path: string, found: PathState, displaced: Side | undefined): void {
  const merged = mergeVersions(state, path, found.stages, found.names, state.depth * 2);
  found.clean = merged.clean && !found.directoryConflict && !found.pathConflict;
  found.result = merged.version;
  if (merged.clean && displaced !== undefined) {
    found.fileMask = 1 << displaced;
    found.stages[displaced] = merged.version;
  }
  if (merged.clean) return;
  const reason = merged.version.mode === MODE_GITLINK ? "submodule" : found.fileMask === 6 ? "add/add" : "content";
  state.messages.add("CONFLICT (contents)", [path], `CONFLICT (${reason}): Merge conflict in ${path}`);
}

function modifiedAndDeleted(state: MergeState, path: string, found: PathState): void {
  const side = found.fileMask === 5 ? THEIRS : OURS;
  found.result = found.stages[state.depth > 0 ? BASE : side];
  found.clean = false;
  // A rename of a file the other side deleted has already been reported.
  if (found.pathConflict && found.stages[BASE].oid === found.stages[side].oid) return;
  const modifier = labelOf(state, side);
  const deleter = labelOf(state, side === OURS ? THEIRS : OURS);
  state.messages.add(
    "CONFLICT (modify/delete)",
    [path],
    `CONFLICT (modify/delete): ${path} deleted in ${deleter} and modified in ${modifier}.  Version ${modifier} of ${path} left in tree.`,
  );
}

/** An unused path, formed from a path and a branch name. */
function freePath(state: MergeState, path: string, label: string): string {
  const wanted = `${path}~${label.replaceAll("/", "_")}`;
  const taken = (candidate: string) =>
    state.paths.has(candidate) || state.directories.unchanged(candidate) !== undefined;
  let free = wanted;
  for (let i = 0; taken(free); i++) free = `${wanted}_${i}`;
  return free;
}
