import { GitError } from "../../errors.ts";
import { posixPattern } from "../../patterns/posix.ts";
import type { FunctionLines } from "./function-lines.ts";

/** The patterns of a driver in the configuration are none. */
export class BadFunctionPattern extends GitError {
  override name = "BadFunctionPattern";
}

interface ConfiguredPattern {
  readonly pattern: RegExp;
  /** `!`: what it finds is no function's line. */
  readonly negated: boolean;
}

/** Whoever configures a pattern may have it take long; on a line that someone else wrote it is not to take for ever. */
const MAX_LINE_LENGTH = 16 * 1024;

/**
 * `diff.<driver>.xfuncname` or, with basic expressions, `.funcname`: patterns one a line, of which the first that is
 * found in a line decides (gitattributes(5), "Defining a custom hunk-header"). Shown is the first group, or else all
 * that was found. Where alternatives fit at one place the first counts; to git it is the longest.
 * @throws BadFunctionPattern in git's words
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
    // A carriage return is a character like any other here.
    const { source: read } = posixPattern(source, syntax, false);
    return { pattern: new RegExp(read, "s"), negated };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadFunctionPattern(`Invalid regexp to look for hunk header: ${source}`);
  }
}
