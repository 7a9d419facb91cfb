import type { Oid } from "../git/objects/types.ts";

/**
 * How the words of a search are interpreted: as one text, as words that may each be anywhere in the file, or as a
 * regular expression.
 */
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

/** A line of a found file. */
export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** Truncated if very long. */
  readonly text: string;
  /** The matches in the text, start and end; empty for a context line. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface FoundFile {
  readonly repoId: number;
  /** The indexed commit: the lines are those of the file in it. */
  readonly commit: Oid;
  readonly path: string;
  readonly language: string;
  /** Matching lines and some context; non-consecutive lines are separate groups. */
  readonly lines: readonly FoundLine[];
  /** Number of matching lines, shown or not. */
  readonly matchCount: number;
}

/** The result of a search. */
export interface FoundFiles {
  /** The requested page. */
  readonly files: readonly FoundFile[];
  /** Number of matching files, as far as they were examined. */
  readonly total: number;
  /** There may be more: the search reached its limits. */
  readonly isPartial: boolean;
  /** Languages of the files that may match, most files first. */
  readonly languages: readonly string[];
  /** The repository searched is not in the index yet. */
  readonly isMissing: boolean;
}
