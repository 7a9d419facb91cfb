import type { Oid } from "../git/objects/types.ts";

/** How the words of a search are meant: as one text, each somewhere in the file, or as a regular expression. */
export const SEARCH_MODES = ["exact", "words", "regexp"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface CodeQuery {
  readonly text: string;
  readonly mode: SearchMode;
  /** Only files in this language. */
  readonly language?: string | undefined;
  /** Only this file, or files below this directory. */
  readonly path?: string | undefined;
}

/** A line of a file that was found. */
export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** Cut when it is very long. */
  readonly text: string;
  /** Where the matches are in the text, start and end; none for a line that only stands beside one. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface FoundFile {
  readonly repoId: number;
  /** The commit that is indexed: lines are those of the file in it. */
  readonly commit: Oid;
  readonly path: string;
  readonly language: string;
  /** Lines that match, and some that stand beside them; lines that do not follow each other are apart. */
  readonly lines: readonly FoundLine[];
  /** Lines that match, shown or not. */
  readonly matchCount: number;
}

/** What a search found. */
export interface FoundFiles {
  /** The page that was asked for. */
  readonly files: readonly FoundFile[];
  /** Files that match, as far as they were looked at. */
  readonly total: number;
  /** There may be more: the search has read as much as one may. */
  readonly isPartial: boolean;
  /** Languages of the files that may match, most files first. */
  readonly languages: readonly string[];
  /** The repository that was searched is not in the index yet. */
  readonly isMissing: boolean;
}
