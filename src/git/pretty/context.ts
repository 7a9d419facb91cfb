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

/** Everything needed to print commits besides the commit itself. */
export interface PrettyContext {
  readonly clock: Clock;
  /** `--date=`; git's default if not set. */
  readonly dates?: DateStyle;
  /** For `%h` and the like, and for `Merge:`. See `Abbreviator`. */
  abbreviate(oid: Oid): string;
  /** Maps an identity through `.mailmap`; used by `%aN` and the built-in formats. */
  mapIdentity?(name: string, email: string): { readonly name: string; readonly email: string };
  /** Names that point to an object, in order. See `decorationsOf`. */
  decorations?(oid: Oid): readonly Decoration[] | undefined;
  /** For `%(describe)`; undefined leaves the placeholder unexpanded. */
  describe?(oid: Oid, options: DescribeOptions): string | undefined;
  /** `%N`, empty without this; undefined leaves the placeholder unexpanded. */
  notes?(oid: Oid): string | undefined;
  /** `%m`: `<`, `>`, `-`; `>` without this. */
  mark?(oid: Oid): string;
  /** `%S`: the name through which the commit was reached. */
  source?(oid: Oid): string | undefined;
  /** Shorten the id in the `commit` line of built-in formats (`--abbrev-commit`). */
  readonly abbreviateCommits?: boolean;
  /** Show names in brackets in the `commit` line of built-in formats (`--decorate`). */
  readonly decorate?: boolean;
  /** Show parents in the `commit` line of built-in formats (`--parents`). */
  readonly showParents?: boolean;
  /** Do not expand tabs in messages in built-in formats, as in `rev-list`. */
  readonly keepTabs?: boolean;
  /** Columns occupied to the left of the text (`--graph`). */
  readonly graphColumns?: number;
}
