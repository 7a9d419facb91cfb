/** What a diff shows; the shapes the diff engine returns. */
import type { SafeHtml } from "../jsx/raw.ts";
import type { Children, JSX } from "../jsx/types.ts";
import type { RepoName } from "../links.ts";

export interface DiffLine {
  readonly kind: "context" | "add" | "del";
  readonly text: string;
  /** The syntax-highlighted text, with its changed words marked. */
  readonly html?: SafeHtml;
  readonly oldNo?: number;
  readonly newNo?: number;
  /** Changed words: character ranges in `text`, in order. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
  /** The file ends here without a newline. */
  readonly noNewline?: boolean;
}

export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** The function or section that contains the hunk. */
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
  /** Over a limit, so there are no hunks. */
  readonly tooLarge: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Size of the content; undefined for a side that does not exist. */
  readonly oldBytes?: number | undefined;
  readonly newBytes?: number | undefined;
  /** Lines of the new content; 0 when it was not compared. */
  readonly newLineCount?: number;
  readonly hunks: readonly DiffHunk[];
}

/** Unchanged lines that are not shown, between two hunks or at an end of the file. */
export interface DiffGap {
  /** The last lines above it; 0 at the start of the file. */
  readonly lastLeft: number;
  readonly lastRight: number;
  /** The first lines below it. */
  readonly left: number;
  readonly right: number;
  /** Nothing is shown below it. */
  readonly isLast?: boolean;
}

/** Where the files of a diff come from. */
export interface DiffSource {
  /** The repository and commit of the new side. */
  readonly repo: RepoName;
  readonly commit: string;
  readonly oldRepo: RepoName;
  /** Absent for a root commit. */
  readonly oldCommit?: string | undefined;
  /** The lines' URLs are below this path of the repository. */
  readonly below?: "wiki" | undefined;
}

export type DiffStyle = "unified" | "split";

/** What the page shows beside and under the lines of a file. A line's name is `L` or `R` and its number. */
export interface LineSlots {
  /** The form that a button on each line submits the line's name with, as `comment`; absent: no such buttons. */
  readonly form?: string | undefined;
  readonly under: ReadonlyMap<string, JSX.Element>;
}

/** What the page adds to the box of a file. */
export interface FileSlots {
  /** Among the tools in its header. */
  readonly tools?: Children;
  /** Above its lines. */
  readonly top?: Children;
  readonly lines?: LineSlots;
  /** The box is initially closed. */
  readonly isFolded?: boolean;
}

export type SlotsOf = (file: FileDiff) => FileSlots;
