import { isTreeMode } from "../../objects/tree.ts";
import {
  labelOf,
  type MergeState,
  NOTHING,
  OURS,
  otherSide,
  PathState,
  parentOf,
  type Side,
  THEIRS,
} from "../state.ts";
import type { Arrival } from "./changes.ts";
import type { FolderCounts } from "./folder-counts.ts";

/** Folders a side renamed, and where to. */
export type FolderRenames = Map<string, string>;

/**
 * Tells from the files that left them where folders went: to where most went. A tie is a conflict.
 * @returns the renames, and whether no folder was torn apart
 */
export function directoryRenames(state: MergeState, counts: FolderCounts): { renames: FolderRenames; clean: boolean } {
  const renames: FolderRenames = new Map();
  let clean = true;
  for (const [folder, destinations] of counts) {
    let most = 0;
    let tied = 0;
    let best = "";
    for (const [destination, count] of destinations) {
      if (count === most) tied = most;
      else if (count > most) {
        most = count;
        best = destination;
      }
    }
    if (most === 0) continue;
    if (tied !== most) {
      renames.set(folder, best);
      continue;
    }
    clean = false;
    state.messages.add(
      "CONFLICT(directory rename unclear split)",
      [folder],
      `CONFLICT (directory rename split): Unclear where to rename ${folder} to; it was renamed to multiple other directories, with no destination getting a majority of the files.`,
    );
  }
  return { renames, clean };
}

/** A folder that both sides renamed does not take the other side's new files along. */
export function dropRenamedTwice(ours: FolderRenames, theirs: FolderRenames): void {
  for (const folder of [...ours.keys()]) {
    if (!theirs.delete(folder)) continue;
    ours.delete(folder);
  }
}

interface Collision {
  readonly sources: string[];
  reported: boolean;
}

/** Where files a side added end up because the other side renamed their folders. */
export class FolderMoves {
  private readonly collisions: readonly [Map<string, Collision>, Map<string, Collision>, Map<string, Collision>] = [
    new Map(),
    new Map(),
    new Map(),
  ];

  /** @param renames folder renames of ours and theirs, by side */
  constructor(
    private readonly state: MergeState,
    private readonly renames: Readonly<Record<Side, FolderRenames>>,
    arrivals: Readonly<Record<Side, readonly Arrival[]>>,
  ) {
    for (const side of [OURS, THEIRS] as const) this.foresee(side, arrivals[side]);
  }

  /** Moves the file if its folder was renamed by the other side; false when that cannot be done. */
  apply(arrival: Arrival): { moved: boolean; clean: boolean } {
    const { side, path } = arrival;
    const renames = this.renames[otherSide(side)];
    const stay = { moved: false, clean: true };
    if (renames.size === 0 || this.collisions[otherSide(side)].has(path)) return stay;
    const folder = renamedFolder(path, renames);
    if (folder === undefined) return stay;
    const destination = renames.get(folder)!;
    if (this.renames[side].has(destination)) {
      this.state.messages.add(
        "Directory rename skipped since directory was renamed on both sides",
        [folder, path, destination],
        `WARNING: Avoiding applying ${folder} -> ${destination} rename to ${path}, because ${destination} itself was renamed.`,
      );
      return stay;
    }
    const newPath = movedPath(path, folder, destination);
    if (!this.isFree(newPath, side)) return { moved: false, clean: false };
    movePath(this.state, arrival, newPath);
    return { moved: true, clean: true };
  }

  private foresee(side: Side, arrivals: readonly Arrival[]): void {
    const renames = this.renames[otherSide(side)];
    if (renames.size === 0) return;
    for (const { path } of arrivals) {
      const folder = renamedFolder(path, renames);
      if (folder === undefined) continue;
      const newPath = movedPath(path, folder, renames.get(folder)!);
      const known = this.collisions[side].get(newPath);
      if (!known) this.collisions[side].set(newPath, { sources: [path], reported: false });
      else if (!known.sources.includes(path)) known.sources.push(path);
    }
    for (const { sources } of this.collisions[side].values()) sources.sort();
  }

  private isFree(newPath: string, side: Side): boolean {
    const collision = this.collisions[side].get(newPath)!;
    if (collision.reported) return false;
    const { sources } = collision;
    if (isInTheWay(this.state, newPath, side)) {
      collision.reported = true;
      this.state.messages.add(
        "CONFLICT (file in way of directory rename)",
        [newPath, ...sources],
        `CONFLICT (implicit dir rename): Existing file/dir at ${newPath} in the way of implicit directory rename(s) putting the following path(s) there: ${sources.join(", ")}.`,
      );
      return false;
    }
    if (sources.length > 1) {
      collision.reported = true;
      this.state.messages.add(
        "CONFLICT(directory rename collision)",
        [newPath, ...sources],
        `CONFLICT (implicit dir rename): Cannot map more than one path to ${newPath}; implicit directory renames tried to put these paths there: ${sources.join(", ")}`,
      );
      return false;
    }
    return true;
  }
}

/** The nearest folder above a path that was renamed. */
function renamedFolder(path: string, renames: FolderRenames): string | undefined {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) if (renames.has(folder)) return folder;
  return undefined;
}

function movedPath(path: string, folder: string, destination: string): string {
  return destination === "" ? path.slice(folder.length + 1) : destination + path.slice(folder.length);
}

function isInTheWay(state: MergeState, path: string, side: Side): boolean {
  const there = state.paths.get(path);
  if (!there) return state.folders.kept(path) !== undefined;
  return there.clean || ((there.fileMask | there.folderMask) & (1 << side)) !== 0;
}

/** Takes a path's state to its new place, making the folders on the way. */
function movePath(state: MergeState, arrival: Arrival, newPath: string): void {
  const { path: oldPath, side } = arrival;
  const { paths } = state;
  const moving = withoutFolder(state, oldPath);
  openFolders(state, newPath, moving.fileMask);
  const there = paths.get(newPath);
  if (there) {
    there.fileMask |= moving.fileMask;
    if (there.folderMask !== 0) there.folderConflict = true;
    there.names[side] = moving.names[side];
    there.stages[side] = moving.stages[side];
  } else paths.set(newPath, moving);
  const target = there ?? moving;
  const label = labelOf(state, side);
  const otherLabel = labelOf(state, otherSide(side));
  if (state.directoryRenames === "apply") {
    const what = arrival.renamed
      ? `${arrival.from} renamed to ${oldPath} in ${label}, inside`
      : `${oldPath} added in ${label} inside`;
    state.messages.add(
      "Path updated due to directory rename",
      [newPath, oldPath],
      `Path updated: ${what} a directory that was renamed in ${otherLabel}; moving it to ${newPath}.`,
    );
  } else {
    target.pathConflict = true;
    const what = arrival.renamed
      ? `${arrival.from} renamed to ${oldPath} in ${label}, inside`
      : `${oldPath} added in ${label} inside`;
    state.messages.add(
      "CONFLICT (directory rename suggested)",
      [newPath, oldPath],
      `CONFLICT (file location): ${what} a directory that was renamed in ${otherLabel}, suggesting it should perhaps be moved to ${newPath}.`,
    );
  }
  arrival.path = newPath;
}

/** Takes the file at a path out of the state; a folder some tree has there stays to be decided. */
function withoutFolder({ paths }: MergeState, path: string): PathState {
  const found = paths.get(path)!;
  paths.delete(path);
  if (found.folderMask === 0) return found;
  const file = found.copy();
  file.dropFolders();
  found.fileMask = 0;
  found.resolveAsGone();
  paths.set(path, found);
  return file;
}

/** Sees to it that every folder above a path has a state, and that those taken as a whole can take another entry. */
function openFolders(state: MergeState, path: string, mask: number): void {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const folder = path.slice(0, end);
    const known = state.paths.get(folder);
    if (known && !(known.clean && isTreeMode(known.result.mode))) continue;
    const whole = known ? known.result : state.folders.kept(folder);
    const open = new PathState(folder, [NOTHING, NOTHING, NOTHING]);
    open.folderMask = mask;
    if (whole && isTreeMode(whole.mode)) state.folders.open(folder, whole.oid);
    state.paths.set(folder, open);
  }
}
