import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import type { MergeAttributes } from "./content/drivers.ts";
import type { ConflictStyle } from "./content/texts.ts";
import type { Directories } from "./directories.ts";
import type { Messages } from "./messages.ts";

/** The three trees of a merge; in masks they are the bits 1, 2 and 4. */
export const BASE = 0;
export const OURS = 1;
export const THEIRS = 2;
export type Side = typeof OURS | typeof THEIRS;
export const SIDES: readonly Side[] = [OURS, THEIRS];

export function otherSide(side: Side): Side {
  return side === OURS ? THEIRS : OURS;
}

/** A tree's entry at a path; mode 0 means none. */
export interface Version {
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: Version = { mode: 0, oid: "" };

export function sameVersion(a: Version, b: Version): boolean {
  return a.mode === b.mode && a.oid === b.oid;
}

/**
 * A path that at least one side changed. Until `clean`, `stages` and the masks describe the trees' entries; renames
 * move stages from the old path to the new one.
 */
export class PathState {
  /** Whether the path is decided, with `result`. */
  clean = false;
  /** Mode 0: no entry remains here. */
  result: Version = NOTHING;
  /** The entries of base, ours and theirs, including directories. */
  stages: [Version, Version, Version];
  /** The path of each stage in its tree. */
  names: [string, string, string];
  /** Trees with a file, symlink or submodule here. */
  fileMask = 0;
  /** Trees with a directory here. */
  directoryMask = 0;
  /** 3, 5 or 6: those two trees have the same entry; 0: all differ. */
  matchMask = 0;
  /** One tree has a file where another has a directory. */
  directoryConflict = false;
  /** The location of the path is in conflict, regardless of its content. */
  pathConflict = false;

  constructor(path: string, stages: readonly [Version, Version, Version]) {
    this.stages = [stages[0], stages[1], stages[2]];
    this.names = [path, path, path];
  }

  static resolved(path: string, result: Version): PathState {
    const state = new PathState(path, [NOTHING, NOTHING, NOTHING]);
    state.clean = true;
    state.result = result;
    return state;
  }

  copy(): PathState {
    const copy = new PathState("", this.stages);
    copy.clean = this.clean;
    copy.result = this.result;
    copy.names = [...this.names];
    copy.fileMask = this.fileMask;
    copy.directoryMask = this.directoryMask;
    copy.matchMask = this.matchMask;
    copy.directoryConflict = this.directoryConflict;
    copy.pathConflict = this.pathConflict;
    return copy;
  }

  /** Decides that the path has no entry. */
  resolveAsGone(): void {
    this.clean = true;
    this.result = NOTHING;
  }

  /** Drops directories, leaving files, symlinks and submodules. */
  dropDirectories(): void {
    this.matchMask &= ~this.directoryMask;
    this.directoryMask = 0;
    for (const stage of [BASE, OURS, THEIRS] as const)
      if ((this.fileMask & (1 << stage)) === 0) this.stages[stage] = NOTHING;
  }
}

/** Names of the trees in markers and messages: latin1, one character per byte. */
export interface RawLabels {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A merge of three trees in progress. Paths are latin1 strings, one character per byte. */
export interface MergeState {
  readonly store: Overlay;
  readonly labels: RawLabels;
  /** 0 for the requested merge, more for merges of its bases. */
  readonly depth: number;
  readonly style: ConflictStyle;
  readonly ignoreSpaceChange: boolean | undefined;
  readonly directoryRenames: "conflict" | "apply" | "off";
  readonly renames: boolean;
  attributesOf(path: string): MergeAttributes;
  readonly paths: Map<string, PathState>;
  /** Paths with unresolved conflicts. */
  readonly conflicted: Map<string, PathState>;
  readonly directories: Directories;
  readonly messages: Messages;
  readonly maxPaths: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export function labelOf(state: MergeState, side: Side): string {
  return side === OURS ? state.labels.ours : state.labels.theirs;
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}
