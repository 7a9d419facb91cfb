import { unquotePath } from "../objects/quote.ts";
import { Glob, type MatchBudget } from "../patterns/glob.ts";

/** Set, unset, or set to a value; an unspecified attribute is undefined. */
export type AttributeValue = true | false | string;

/** One assignment on a line; undefined reverts to unspecified (`!name`). */
export interface Assignment {
  readonly name: string;
  readonly value: AttributeValue | undefined;
}

/** A line `pattern name -name name=value !name`. */
export interface AttributeRule {
  readonly assignments: readonly Assignment[];
  /**
   * @param path of a file or directory, relative to the directory of the rule's file, one character per byte, without a
   * trailing slash
   * @param name its last component
   */
  matches(path: string, name: string, isTreeMode: boolean, budget: MatchBudget): boolean;
}

/** The content of a `.gitattributes` or `info/attributes` file. */
export interface AttributeFile {
  /** In the order of the lines; the last assignment wins. */
  readonly rules: readonly AttributeRule[];
  readonly macros: ReadonlyMap<string, readonly Assignment[]>;
}

/** As in git, longer lines are ignored. */
const MAX_LINE_BYTES = 2048;
const MACRO = "[attr]";
const NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/**
 * Parses attributes as in gitattributes(5). A malformed line is ignored as a whole.
 * @param text the file, one character per byte
 * @param mayDefine whether `[attr]` lines count: only at the root and in `info/attributes`
 */
export function parseAttributes(text: string, mayDefine: boolean): AttributeFile {
  const rules: AttributeRule[] = [];
  const macros = new Map<string, readonly Assignment[]>();
  for (let at = 0; at < text.length; ) {
    const lf = text.indexOf("\n", at);
    const end = lf < 0 ? text.length : lf;
    if (end - at < MAX_LINE_BYTES) {
      const line = readLine(text.slice(at, end));
      if (line?.macro !== undefined) {
        if (mayDefine) macros.set(line.macro, line.assignments);
      } else if (line?.rule) rules.push(line.rule);
    }
    at = end + 1;
  }
  return { rules, macros };
}

interface Line {
  readonly macro?: string;
  readonly rule?: AttributeRule;
  readonly assignments: readonly Assignment[];
}

function readLine(line: string): Line | undefined {
  const nul = line.indexOf("\0");
  const text = (nul < 0 ? line : line.slice(0, nul)).replace(/^[ \t\r\n]+/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const quoted = text.startsWith('"') ? unquotePath(text) : undefined;
  const pattern = quoted?.text ?? text.split(/[ \t\r\n]/, 1)[0]!;
  const words = text.slice(quoted?.length ?? pattern.length);
  let macro: string | undefined;
  if (pattern.length > MACRO.length && pattern.startsWith(MACRO)) {
    const blank = /^[ \t\r\n]*/.exec(pattern.slice(MACRO.length))![0].length;
    macro = pattern.slice(MACRO.length + blank).split(/[ \t\r\n]/, 1)[0]!;
    if (!NAME.test(macro)) return undefined;
  }
  const assignments: Assignment[] = [];
  for (const word of words.split(/[ \t\r\n]+/)) {
    if (word === "") continue;
    const assignment = readAssignment(word);
    if (!assignment) return undefined;
    assignments.push(assignment);
  }
  if (macro !== undefined) return { macro, assignments };
  if (pattern.startsWith("!")) return undefined;
  return { rule: ruleOf(pattern, assignments), assignments };
}

function readAssignment(word: string): Assignment | undefined {
  const sign = word[0];
  const isOff = sign === "-" || sign === "!";
  const equals = word.indexOf("=");
  const name = word.slice(isOff ? 1 : 0, equals < 0 ? undefined : equals);
  if (!NAME.test(name)) return undefined;
  if (isOff) return { name, value: sign === "-" ? false : undefined };
  return { name, value: equals < 0 ? true : word.slice(equals + 1) };
}

function ruleOf(pattern: string, assignments: readonly Assignment[]): AttributeRule {
  const directoriesOnly = pattern.endsWith("/");
  const text = directoriesOnly ? pattern.slice(0, -1) : pattern;
  const byName = !text.includes("/");
  const glob = new Glob(text.startsWith("/") ? text.slice(1) : text);
  return {
    assignments,
    matches: (path, name, isTreeMode, budget) =>
      (isTreeMode || !directoriesOnly) && glob.matches(byName ? name : path, budget),
  };
}
