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
import type { DirectoryCounts } from "./directory-counts.ts";

/** Maps directories one side renamed to their new paths. */
export type DirectoryRenames = Map<string, string>;

/**
 * Determines where directories went: to where most of their files went. A tie is a conflict.
 * @returns the renames, and whether no directory was split
 */
export function directoryRenames(
  state: MergeState,
  counts: DirectoryCounts,
): { renames: DirectoryRenames; clean: boolean } {
  const renames: DirectoryRenames = new Map();
  let clean = true;
  for (const [directory, destinations] of counts) {
    let max = 0;
    let tied = 0;
    let best = "";
    for (const [destination, count] of destinations) {
      if (count === max) tied = max;
      else if (count > max) {
        max = count;
        best = destination;
      }
    }
    if (max === 0) continue;
    if (tied !== max) {
      renames.set(directory, best);
      continue;
    }
    clean = false;
    state.messages.add(
      "CONFLICT(directory rename unclear split)",
      [directory],
      `CONFLICT (directory rename split): Unclear where to rename ${directory} to; it was renamed to multiple other directories, with no destination getting a majority of the files.`,
    );
  }
  return { renames, clean };
}

/** If both sides renamed a directory, neither rename moves the other side's new files. */
export function dropRenamedTwice(ours: DirectoryRenames, theirs: DirectoryRenames): void {
  for (const directory of [...ours.keys()]) {
    if (!theirs.delete(directory)) continue;
    ours.delete(directory);
  }
}

interface Collision {
  readonly sources: string[];
  reported: boolean;
}

/** Moves files one side added to directories the other side renamed. */
export class DirectoryMoves {
  private readonly collisions: readonly [Map<string, Collision>, Map<string, Collision>, Map<string, Collision>] = [
    new Map(),
    new Map(),
    new Map(),
  ];

  /** @param renames directory renames of ours and theirs, by side */
  constructor(
    private readonly state: MergeState,
    private readonly renames: Readonly<Record<Side, DirectoryRenames>>,
    arrivals: Readonly<Record<Side, readonly Arrival[]>>,
  ) {
    for (const side of [OURS, THEIRS] as const) this.foresee(side, arrivals[side]);
  }

  /** Moves the file if the other side renamed its directory; `clean` is false when that is not possible. */
  apply(arrival: Arrival): { moved: boolean; clean: boolean } {
    const { side, path } = arrival;
    const renames = this.renames[otherSide(side)];
    const stay = { moved: false, clean: true };
    if (renames.size === 0 || this.collisions[otherSide(side)].has(path)) return stay;
    const directory = renamedDirectory(path, renames);
    if (directory === undefined) return stay;
    const destination = renames.get(directory)!;
    if (this.renames[side].has(destination)) {
      this.state.messages.add(
        "Directory rename skipped since directory was renamed on both sides",
        [directory, path, destination],
        `WARNING: Avoiding applying ${directory} -> ${destination} rename to ${path}, because ${destination} itself was renamed.`,
      );
      return stay;
    }
    const newPath = movedPath(path, directory, destination);
    if (!this.isFree(newPath, side)) return { moved: false, clean: false };
    movePath(this.state, arrival, newPath);
    return { moved: true, clean: true };
  }

  private foresee(side: Side, arrivals: readonly Arrival[]): void {
    const renames = this.renames[otherSide(side)];
    if (renames.size === 0) return;
    for (const { path } of arrivals) {
      const directory = renamedDirectory(path, renames);
      if (directory === undefined) continue;
      const newPath = movedPath(path, directory, renames.get(directory)!);
      const existing = this.collisions[side].get(newPath);
      if (!existing) this.collisions[side].set(newPath, { sources: [path], reported: false });
      else if (!existing.sources.includes(path)) existing.sources.push(path);
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

/** The nearest renamed directory above a path. */
function renamedDirectory(path: string, renames: DirectoryRenames): string | undefined {
  for (let directory = parentOf(path); directory !== ""; directory = parentOf(directory))
    if (renames.has(directory)) return directory;
  return undefined;
}

function movedPath(path: string, directory: string, destination: string): string {
  return destination === "" ? path.slice(directory.length + 1) : destination + path.slice(directory.length);
}

function isInTheWay(state: MergeState, path: string, side: Side): boolean {
  const there = state.paths.get(path);
  if (!there) return state.directories.unchanged(path) !== undefined;
  return there.clean || ((there.fileMask | there.directoryMask) & (1 << side)) !== 0;
}

/** Moves a path's state to its new path, creating the directories above it. */
function movePath(state: MergeState, arrival: Arrival, newPath: string): void {
  const { path: oldPath, side } = arrival;
  const { paths } = state;
  const moving = withoutDirectory(state, oldPath);
  openDirectories(state, newPath, moving.fileMask);
  const there = paths.get(newPath);
  if (there) {
    there.fileMask |= moving.fileMask;
    if (there.directoryMask !== 0) there.directoryConflict = true;
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

/** Removes the file at a path from the state; a directory at that path in some tree remains to be decided. */
function withoutDirectory({ paths }: MergeState, path: string): PathState {
  const found = paths.get(path)!;
  paths.delete(path);
  if (found.directoryMask === 0) return found;
  const file = found.copy();
  file.dropDirectories();
  found.fileMask = 0;
  found.resolveAsGone();
  paths.set(path, found);
  return file;
}

/** Ensures that every directory above a path has a state, and opens those taken as a whole for another entry. */
function openDirectories(state: MergeState, path: string, mask: number): void {
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    const directory = path.slice(0, end);
    const existing = state.paths.get(directory);
    if (existing && !(existing.clean && isTreeMode(existing.result.mode))) continue;
    const whole = existing ? existing.result : state.directories.unchanged(directory);
    const open = new PathState(directory, [NOTHING, NOTHING, NOTHING]);
    open.directoryMask = mask;
    if (whole && isTreeMode(whole.mode)) state.directories.open(directory, whole.oid);
    state.paths.set(directory, open);
  }
}
