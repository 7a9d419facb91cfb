import { GitError } from "../errors.ts";
import { type BuiltInName, formatBuiltIn } from "./built-in.ts";
import { CommitText, type CommitToPrint } from "./commit-text.ts";
import type { PrettyContext } from "./context.ts";
import { compileUserFormat, type UserFormat } from "./user-format.ts";

export type { CommitToPrint } from "./commit-text.ts";
export type { PrettyContext } from "./context.ts";

/** The value of `--format=` is not a format. */
export class UnknownFormat extends GitError {
  override name = "UnknownFormat";
}

/** A compiled, reusable format for printing commits. */
export interface CommitFormat {
  /** "user" for `format:` and `tformat:` texts, and for `reference`. */
  readonly name: BuiltInName | "user";
  /** Whether a line end follows every commit; otherwise it only separates commits. */
  readonly terminated: boolean;
  /** Whether it is an empty user format, for which not even line ends are written. */
  readonly isEmpty: boolean;
  /** Prints a commit, without the line end described by `terminated`. The text is as for `encodeName`. */
  print(commit: CommitToPrint, context: PrettyContext): string;
}

/** In git's order, which decides between names of equal length. */
const NAMES = ["raw", "medium", "short", "email", "mboxrd", "fuller", "full", "oneline", "reference"] as const;
const REFERENCE = "%C(auto)%h (%s, %ad)";

/**
 * Compiles the value of `--format=` or `--pretty=`: a built-in format's name or a prefix of it, `format:…`,
 * `tformat:…`, or any text with a `%` in it.
 * @throws UnknownFormat, BadColour
 */
export function compileFormat(text: string): CommitFormat {
  if (text.startsWith("format:")) return userFormat(text.slice("format:".length), false);
  if (text.startsWith("tformat:")) return userFormat(text.slice("tformat:".length), true);
  if (text === "" || text.includes("%")) return userFormat(text, true);
  const name = NAMES.filter((known) => known.startsWith(text)).reduce<(typeof NAMES)[number] | undefined>(
    (best, known) => (best === undefined || known.length < best.length ? known : best),
    undefined,
  );
  if (name === undefined) throw new UnknownFormat(`invalid --pretty format: ${text}`);
  if (name === "reference") return referenceFormat();
  return {
    name,
    terminated: name === "oneline",
    isEmpty: false,
    print: (commit, context) => formatBuiltIn(name, new CommitText(commit), context),
  };
}

function userFormat(text: string, terminated: boolean): CommitFormat {
  return printedBy(compileUserFormat(text), terminated, text === "");
}

function printedBy(format: UserFormat, terminated: boolean, isEmpty: boolean): CommitFormat {
  return {
    name: "user",
    terminated,
    isEmpty,
    print: (commit, context) => format(new CommitText(commit), context),
  };
}

/** The `reference` format, with short dates unless `--date` is given. */
function referenceFormat(): CommitFormat {
  const format = compileUserFormat(REFERENCE);
  const short = { kind: "short", local: false } as const;
  return printedBy(
    (commit, context) => format(commit, context.dates ? context : { ...context, dates: short }),
    true,
    false,
  );
}
