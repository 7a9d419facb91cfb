import type { LineDiffOptions } from "../blocks.ts";
import type { ChangeStatus } from "../change.ts";
import type { ChangesOptions } from "../changes.ts";
import type { FunctionLines } from "../functions/function-lines.ts";
import type { HunkOptions } from "../hunks.ts";

/** The output formats of a diff. Several may be combined; they are printed in this order. */
export type DiffFormat = "raw" | "name-only" | "name-status" | "numstat" | "stat" | "shortstat" | "summary" | "patch";

/** `--stat=<width>,<name-width>,<count>` and `--stat-graph-width`; 0 or undefined for git's defaults. */
export interface StatWidths {
  /** Columns of a line; 80 by default. */
  readonly width?: number | undefined;
  readonly nameWidth?: number | undefined;
  readonly graphWidth?: number | undefined;
  /** Maximum files shown; the rest only count in the totals. */
  readonly count?: number | undefined;
}

/** How lines are compared and shown. */
export interface CompareOptions extends LineDiffOptions, HunkOptions {
  /** Whether `.gitattributes` make a path binary; undefined if the content decides. */
  readonly isBinaryPath?: ((path: string) => boolean | undefined) | undefined;
  /** The function lines of a path's language, for hunk headings; undefined for git's default heuristic. */
  readonly functionsOf?: ((path: string) => FunctionLines | undefined) | undefined;
  /** `-a`: treats binary files as text. */
  readonly text?: boolean | undefined;
  /** Larger files are treated as binary; 512 MiB by default, as in git. */
  readonly maxFileBytes?: number | undefined;
}

export interface PatchOptions extends CompareOptions {
  /** `--binary`: shows binary files in full, with full ids; otherwise a line says that they differ. */
  readonly binary?: boolean | undefined;
  /** `--full-index` */
  readonly fullIndex?: boolean | undefined;
  /** `a/` and `b/` by default; `--no-prefix` makes both empty. */
  readonly oldPrefix?: string | undefined;
  readonly newPrefix?: string | undefined;
  /** Whether to quote names beyond ASCII (`core.quotePath`); true by default. */
  readonly asciiNames?: boolean | undefined;
}

/** All options of the output; created by the CLI's `readDiffOptions`. */
export interface PrintOptions extends PatchOptions, ChangesOptions {
  readonly formats: ReadonlySet<DiffFormat>;
  /** `-z`: in raw, name and numstat output, names are unquoted and end with a NUL. */
  readonly nul?: boolean | undefined;
  readonly stat?: StatWidths | undefined;
  /**
   * Minimum digits of ids; "auto" as git does without `core.abbrev`. If omitted: full ids in raw, "auto" in patches.
   */
  readonly abbrev?: number | "auto" | undefined;
  /** `--diff-filter`: only files with these statuses; see `all`. */
  readonly filter?: StatusFilter | undefined;
}

export interface StatusFilter {
  readonly only: ReadonlySet<ChangeStatus>;
  /** `*`: all files, if any file has one of the statuses. */
  readonly all: boolean;
}
