/** What a diff shows; the shapes the diff engine answers. */
import type { Children, JSX } from "../jsx/types.ts";

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

/** What stands beside and under the lines of a file, of the page that shows it. A line is `L` or `R` and its number. */
export interface LineSlots {
  /** The form that a button on each line sends the line's name with, as `comment`; absent: there are no such buttons. */
  readonly form?: string | undefined;
  readonly under: ReadonlyMap<string, JSX.Element>;
}

/** What the page that shows a diff puts into the box of a file. */
export interface FileSlots {
  /** Among the tools in its head. */
  readonly tools?: Children;
  /** Above its lines. */
  readonly top?: Children;
  readonly lines?: LineSlots;
  /** The box is closed at first. */
  readonly isFolded?: boolean;
}

export type SlotsOf = (file: FileDiff) => FileSlots;
