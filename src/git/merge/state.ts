import { MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, MODE_TREE } from "../objects/tree.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import type { MergeAttributes } from "./content/drivers.ts";
import type { ConflictStyle } from "./content/texts.ts";
import type { Directories } from "./directories.ts";
import type { Messages } from "./messages.ts";

/** The three trees of a merge, and the bits that stand for them in masks: 1, 2 and 4. */
export const BASE = 0;
export const OURS = 1;
export const THEIRS = 2;
export type Side = typeof OURS | typeof THEIRS;
export const SIDES: readonly Side[] = [OURS, THEIRS];

export function otherSide(side: Side): Side {
  return side === OURS ? THEIRS : OURS;
}

/** What a tree has at a path; mode 0: nothing. */
export interface Version {
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: Version = { mode: 0, oid: "" };

export function sameVersion(a: Version, b: Version): boolean {
  return a.mode === b.mode && a.oid === b.oid;
}

/**
 * A path that at least one side changed. Until `clean`, `stages` and masks say what the trees have there; renames move
 * stages from the old path to the new one.
 */
export class PathState {
  /** Decided, with `result`. */
  clean = false;
  /** Mode 0: nothing remains here. */
  result: Version = NOTHING;
  /** What base, ours and theirs have; directories included. */
  stages: [Version, Version, Version];
  /** The path that each stage had in its tree. */
  names: [string, string, string];
  /** Trees that have something that is no directory here. */
  fileMask = 0;
  /** Trees that have a directory here. */
  directoryMask = 0;
  /** 3, 5 or 6: those two trees have the same; 0: all differ. */
  matchMask = 0;
  /** A file of one tree is where another has a directory. */
  directoryConflict = false;
  /** Where the path should be is in conflict, whatever its content. */
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

  /** Nothing is to be here. */
  resolveAsGone(): void {
    this.clean = true;
    this.result = NOTHING;
  }

  /** Forgets directories: what is left are files, links and submodules. */
  dropDirectories(): void {
    this.matchMask &= ~this.directoryMask;
    this.directoryMask = 0;
    for (const stage of [BASE, OURS, THEIRS] as const)
      if ((this.fileMask & (1 << stage)) === 0) this.stages[stage] = NOTHING;
  }
}

/** Names of the trees in markers and messages: latin1, a character a byte. */
export interface RawLabels {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** One merge of three trees while it is worked on. Paths are latin1 strings: one character a byte. */
export interface MergeState {
  readonly store: Overlay;
  readonly labels: RawLabels;
  /** 0 for the merge that was asked for, more for the merges of its bases. */
  readonly depth: number;
  readonly style: ConflictStyle;
  readonly ignoreSpaceChange: boolean | undefined;
  readonly directoryRenames: "conflict" | "apply" | "off";
  readonly renames: boolean;
  attributesOf(path: string): MergeAttributes;
  readonly paths: Map<string, PathState>;
  /** Where conflicts were left, in the end. */
  readonly conflicted: Map<string, PathState>;
  readonly directories: Directories;
  readonly messages: Messages;
  readonly maxPaths: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export function labelOf(state: MergeState, side: Side): string {
  return side === OURS ? state.labels.ours : state.labels.theirs;
}

/** A mode as git takes it from a tree, where old ones have more bits. */
export function canonicalMode(mode: number): number {
  switch (mode & 0o170000) {
    case 0o100000:
      return mode & 0o100 ? MODE_EXECUTABLE : MODE_FILE;
    case MODE_SYMLINK:
      return MODE_SYMLINK;
    case MODE_TREE:
      return MODE_TREE;
    default:
      return MODE_GITLINK;
  }
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
