import type { LineDiffOptions } from "../blocks.ts";
import type { ChangeStatus } from "../change.ts";
import type { ChangesOptions } from "../changes.ts";
import type { HunkOptions } from "../hunks.ts";

/** What is printed of a difference. Several may be given; they come in this order. */
export type DiffFormat = "raw" | "name-only" | "name-status" | "numstat" | "stat" | "shortstat" | "summary" | "patch";

/** `--stat=<width>,<name-width>,<count>` and `--stat-graph-width`; 0 or undefined: git's defaults. */
export interface StatWidths {
  /** Columns of a line; 80 by default. */
  readonly width?: number | undefined;
  readonly nameWidth?: number | undefined;
  readonly graphWidth?: number | undefined;
  /** Files shown; the rest is summed up. */
  readonly count?: number | undefined;
}

/** How lines are compared and shown. */
export interface CompareOptions extends LineDiffOptions, HunkOptions {
  /** What `.gitattributes` says of a path: whether it is binary, undefined where the content decides. */
  readonly isBinaryPath?: ((path: string) => boolean | undefined) | undefined;
  /** `-a`: binary files as text. */
  readonly text?: boolean | undefined;
  /** A file larger than this is treated as binary; 512 MiB by default, as git. */
  readonly maxFileBytes?: number | undefined;
}

export interface PatchOptions extends CompareOptions {
  /** `--binary`: binary files in full, with full ids; otherwise a line says that they differ. */
  readonly binary?: boolean | undefined;
  /** `--full-index` */
  readonly fullIndex?: boolean | undefined;
  /** `a/` and `b/` by default; `--no-prefix` makes both empty. */
  readonly oldPrefix?: string | undefined;
  readonly newPrefix?: string | undefined;
  /** Names beyond ASCII are quoted (`core.quotePath`); true by default. */
  readonly asciiNames?: boolean | undefined;
}

/** Everything that decides what is printed; `readDiffOptions` of the terminal makes it. */
export interface PrintOptions extends PatchOptions, ChangesOptions {
  readonly formats: ReadonlySet<DiffFormat>;
  /** `-z`: names as they are, with a NUL after each, in raw, names and numstat. */
  readonly nul?: boolean | undefined;
  readonly stat?: StatWidths | undefined;
  /** Least digits of ids; "auto" as git chooses without `core.abbrev`. Left out: whole ids in raw, "auto" in patches. */
  readonly abbrev?: number | "auto" | undefined;
  /** `--diff-filter`: only these; see `all`. */
  readonly filter?: StatusFilter | undefined;
}

export interface StatusFilter {
  readonly only: ReadonlySet<ChangeStatus>;
  /** `*`: everything, when one file is of these. */
  readonly all: boolean;
}
