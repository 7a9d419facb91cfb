import { GitError } from "../../errors.ts";
import { posixPattern } from "../../patterns/posix.ts";
import type { FunctionLines } from "./function-lines.ts";

/** A driver's patterns in the configuration are invalid. */
export class BadFunctionPattern extends GitError {
  override name = "BadFunctionPattern";
}

interface ConfiguredPattern {
  readonly pattern: RegExp;
  /** `!`: a line it matches is not a function line. */
  readonly negated: boolean;
}

/** Whoever configures a pattern may make it slow, but a line written by someone else must not make it take forever. */
const MAX_LINE_LENGTH = 16 * 1024;

/**
 * `diff.<driver>.xfuncname` or, with basic regular expressions, `.funcname`: one pattern a line; the first that matches
 * a line decides (gitattributes(5), "Defining a custom hunk-header"). The first group is shown, or the whole match if
 * there is none. Where several alternatives match at one position the first wins here; in git, the longest.
 * @throws BadFunctionPattern with git's message
 */
export function configuredLines(source: string, syntax: "basic" | "extended"): FunctionLines {
  const patterns = source.split("\n").map((text, at, all) => readPattern(text, syntax, at === all.length - 1));
  return (line) => {
    if (line.length > MAX_LINE_LENGTH) return undefined;
    for (const { pattern, negated } of patterns) {
      const found = pattern.exec(line);
      if (found) return negated ? undefined : (found[1] ?? found[0]);
    }
    return undefined;
  };
}

function readPattern(text: string, syntax: "basic" | "extended", isLast: boolean): ConfiguredPattern {
  const negated = text.startsWith("!");
  if (negated && isLast) throw new BadFunctionPattern(`Last expression must not be negated: ${text}`);
  const source = negated ? text.slice(1) : text;
  try {
    // A carriage return is treated like any other character.
    const { source: read } = posixPattern(source, syntax, false);
    return { pattern: new RegExp(read, "s"), negated };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadFunctionPattern(`Invalid regexp to look for hunk header: ${source}`);
  }
}
