/** What a diff shows; the shapes the diff engine answers. */

export interface DiffLine {
  readonly kind: "context" | "add" | "del";
  readonly text: string;
  readonly oldNo?: number;
  readonly newNo?: number;
  /** Changed words: character ranges in `text`, in order. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
  /** The file ends here without a line end. */
  readonly noNewline?: boolean;
}

export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The function or section the hunk stands in. */
  readonly heading: string;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly oldPath: string;
  readonly newPath: string;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "typechange";
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldOid: string;
  readonly newOid: string;
  /** Per cent, for renames and copies. */
  readonly similarity?: number;
  readonly binary: boolean;
  /** Over a limit: no hunks were made. */
  readonly tooLarge: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly DiffHunk[];
}

export type DiffStyle = "unified" | "split";
