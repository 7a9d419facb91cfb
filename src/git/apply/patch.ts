import { GitError } from "../errors.ts";

/** Part of a patch that changes neighbouring lines of a file. Text is latin1: one character a byte. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Unchanged lines before the first and after the last change. */
  readonly leading: number;
  readonly trailing: number;
  /** The lines with their first character, `\ No newline` ones included. */
  readonly lines: readonly string[];
}

/** Content of a binary file, or a delta that makes it. */
export interface BinaryHunk {
  readonly kind: "literal" | "delta";
  readonly data: Uint8Array;
}

/** What a patch does to one file. Names are latin1, without the prefix that `-p` takes off. */
export interface FilePatch {
  oldName: string | undefined;
  newName: string | undefined;
  /** 0: not told. */
  oldMode: number;
  newMode: number;
  /** Undefined where a plain patch leaves it open. */
  isNew: boolean | undefined;
  isDelete: boolean | undefined;
  isRename: boolean;
  isCopy: boolean;
  isBinary: boolean;
  /** Beginnings of the ids of the contents, as the `index` line tells them. */
  oldOid: string;
  newOid: string;
  hunks: Hunk[];
  /** The content after the change, and before it. */
  forward: BinaryHunk | undefined;
  backward: BinaryHunk | undefined;
}

export function emptyFilePatch(): FilePatch {
  return {
    oldName: undefined,
    newName: undefined,
    oldMode: 0,
    newMode: 0,
    isNew: undefined,
    isDelete: undefined,
    isRename: false,
    isCopy: false,
    isBinary: false,
    oldOid: "",
    newOid: "",
    hunks: [],
    forward: undefined,
    backward: undefined,
  };
}

/** Text that is no patch, or a broken one. The message is git's, without `error: `. */
export class MalformedPatch extends GitError {
  override name = "MalformedPatch";
}

/** A sound patch that does not fit the tree. */
export class PatchRefused extends GitError {
  override name = "PatchRefused";

  /**
   * @param problems one line for everything that is wrong, in git's words, without `error: `
   * @param warnings what git would warn of, likewise
   */
  constructor(
    readonly problems: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super(problems.join("\n"));
  }
}

/** The same change backwards. */
export function reversed(patch: FilePatch): FilePatch {
  return {
    ...patch,
    oldName: patch.newName,
    newName: patch.oldName,
    oldMode: patch.newMode,
    newMode: patch.oldMode,
    isNew: patch.isDelete,
    isDelete: patch.isNew,
    oldOid: patch.newOid,
    newOid: patch.oldOid,
    forward: patch.backward,
    backward: patch.forward,
    hunks: patch.hunks.map((hunk) => ({
      ...hunk,
      oldStart: hunk.newStart,
      oldLines: hunk.newLines,
      newStart: hunk.oldStart,
      newLines: hunk.oldLines,
      lines: hunk.lines.map(reversedLine),
    })),
  };
}

function reversedLine(line: string): string {
  if (line.startsWith("-")) return `+${line.slice(1)}`;
  return line.startsWith("+") ? `-${line.slice(1)}` : line;
}
