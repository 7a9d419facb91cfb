import { GitError } from "../errors.ts";

/** A part of a patch that changes neighbouring lines of a file. Text is latin1: one character per byte. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Unchanged lines before the first and after the last change. */
  readonly leading: number;
  readonly trailing: number;
  /** The lines with their first character, including `\ No newline` ones. */
  readonly lines: readonly string[];
}

/** Content of a binary file, or a delta that produces it. */
export interface BinaryHunk {
  readonly kind: "literal" | "delta";
  readonly data: Uint8Array;
}

/** A patch's change to one file. Names are latin1, without the components stripped by `-p`. */
export interface FilePatch {
  oldName: string | undefined;
  newName: string | undefined;
  /** 0: not given. */
  oldMode: number;
  newMode: number;
  /** Undefined if a plain patch leaves it open. */
  isNew: boolean | undefined;
  isDelete: boolean | undefined;
  isRename: boolean;
  isCopy: boolean;
  isBinary: boolean;
  /** Abbreviated ids of the contents, from the `index` line. */
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

/** Text that is not a patch, or is a broken one. The message is git's, without `error: `. */
export class MalformedPatch extends GitError {
  override name = "MalformedPatch";
}

/** A well-formed patch that does not apply to the tree. */
export class PatchRefused extends GitError {
  override name = "PatchRefused";

  /**
   * @param problems one line per problem, in git's words, without `error: `
   * @param warnings git's warnings, in the same form
   */
  constructor(
    readonly problems: readonly string[],
    readonly warnings: readonly string[] = [],
  ) {
    super(problems.join("\n"));
  }
}

/** The reverse of the patch. */
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
