import type { Oid } from "../objects/types.ts";
import type { Clock, DateStyle } from "./dates.ts";
import type { Decoration } from "./decorations.ts";

/** Options of `%(describe:…)`. */
export interface DescribeOptions {
  readonly tags: boolean;
  readonly abbrev?: number;
  readonly match: readonly string[];
  readonly exclude: readonly string[];
}

/** Everything the printing of commits needs to know besides the commit. */
export interface PrettyContext {
  readonly clock: Clock;
  /** `--date=`; git's default without it. */
  readonly dates?: DateStyle;
  /** For `%h` and its like, and for `Merge:`. See `Abbreviator`. */
  abbreviate(oid: Oid): string;
  /** What `.mailmap` says of a person; used by `%aN` and by the built-in formats. */
  mapIdentity?(name: string, email: string): { readonly name: string; readonly email: string };
  /** Names that point to an object, in order. See `decorationsOf`. */
  decorations?(oid: Oid): readonly Decoration[] | undefined;
  /** For `%(describe)`; undefined leaves the placeholder as it stands. */
  describe?(oid: Oid, options: DescribeOptions): string | undefined;
  /** `%N`, empty without it; undefined leaves the placeholder as it stands. */
  notes?(oid: Oid): string | undefined;
  /** `%m`: `<`, `>`, `-`; `>` without it. */
  mark?(oid: Oid): string;
  /** `%S`: the name by which the commit was reached. */
  source?(oid: Oid): string | undefined;
  /** The `commit` line of built-in formats has the shortened id (`--abbrev-commit`). */
  readonly abbreviateCommits?: boolean;
  /** The `commit` line of built-in formats has the names, in brackets (`--decorate`). */
  readonly decorate?: boolean;
  /** The `commit` line of built-in formats has the parents (`--parents`). */
  readonly showParents?: boolean;
  /** Built-in formats leave tabs in messages as they are, as `rev-list` does. */
  readonly keepTabs?: boolean;
  /** Columns that are taken left of the text (`--graph`). */
  readonly graphColumns?: number;
}
