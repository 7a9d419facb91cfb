import { GitError } from "../errors.ts";

/**
 * Patterns of `.gitattributes` and `.gitignore` (gitignore(5)), matched against paths as bytes: both are strings with
 * one character per byte.
 *
 *     ?  one byte except `/`       [a-z]  one of a set, but never `/`
 *     *  any bytes except `/`      a slash, two stars and a slash: any directories, or none
 */

/** The maximum total cost of matching; a crafted file could otherwise take years. */
export class MatchBudget {
  constructor(private steps = 1_000_000_000) {}

  /** @throws PatternsTooCostly */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new PatternsTooCostly("patterns take too long to match");
  }
}

export class PatternsTooCostly extends GitError {
  override name = "PatternsTooCostly";
}

type Part =
  | { readonly kind: "byte"; readonly code: number }
  | { readonly kind: "any" }
  | { readonly kind: "set"; readonly has: readonly boolean[] }
  | { readonly kind: "star" }
  /** Any directories, including the slash after them, or nothing. */
  | { readonly kind: "folders" }
  /** Two stars at the end: everything. */
  | { readonly kind: "rest" };

/** A compiled pattern. */
export class Glob {
  private readonly literal: string;
  private readonly parts: readonly Part[] | undefined;
  /** `*` followed by literal text, which most patterns are. */
  private readonly suffix: string | undefined;
  private readonly isLiteral: boolean;

  /** @param crosses whether wildcards match `/`, too, as in pathspecs */
  constructor(
    pattern: string,
    private readonly crosses = false,
  ) {
    // As in git, the text before the first special character is compared separately from the rest.
    const special = pattern.search(/[*?[\\]/);
    this.isLiteral = special < 0;
    this.literal = special < 0 ? pattern : pattern.slice(0, special);
    const rest = pattern.slice(this.literal.length);
    this.suffix = !crosses && this.literal === "" && /^\*[^*?[\\/]*$/.test(rest) ? rest.slice(1) : undefined;
    this.parts = this.suffix === undefined ? readParts(rest, crosses) : undefined;
  }

  /** Whether it matches the whole text. */
  matches(text: string, budget: MatchBudget): boolean {
    if (this.isLiteral) return text === this.literal;
    if (this.suffix !== undefined)
      return text.endsWith(this.suffix) && isOneName(text, text.length - this.suffix.length);
    return (
      text.startsWith(this.literal) &&
      this.parts !== undefined &&
      run(this.parts, text, this.literal.length, this.crosses, budget)
    );
  }
}

function isOneName(text: string, end: number): boolean {
  const slash = text.indexOf("/");
  return slash < 0 || slash >= end;
}

/**
 * Backtracking is needed only to the last star and the last run of directories: everything before them was matched as
 * early as possible, which leaves the most for the rest.
 */
function run(parts: readonly Part[], text: string, from: number, crosses: boolean, budget: MatchBudget): boolean {
  let p = 0;
  let t = from;
  let star = -1;
  let starText = 0;
  let directories = -1;
  let directoriesText = 0;
  let steps = 0;
  for (;;) {
    if ((++steps & 0xfff) === 0) budget.spend(0x1000);
    const part = parts[p];
    if (part === undefined) {
      if (t === text.length) break;
    } else if (part.kind === "rest") break;
    else if (part.kind === "star") {
      star = ++p;
      starText = t;
      continue;
    } else if (part.kind === "folders") {
      directories = ++p;
      directoriesText = t;
      star = -1;
      continue;
    } else if (t < text.length && fits(part, text.charCodeAt(t), crosses)) {
      p++;
      t++;
      continue;
    }
    if (star >= 0 && starText < text.length && (crosses || text[starText] !== "/")) {
      p = star;
      t = ++starText;
      continue;
    }
    const slash = directories < 0 ? -1 : text.indexOf("/", directoriesText);
    if (slash < 0) {
      budget.spend(steps & 0xfff);
      return false;
    }
    p = directories;
    t = directoriesText = slash + 1;
    star = -1;
  }
  budget.spend(steps & 0xfff);
  return true;
}

function fits(part: Part, code: number, crosses: boolean): boolean {
  if (part.kind === "byte") return part.code === code;
  if (code === SLASH && !crosses) return false;
  return part.kind === "any" || (part.kind === "set" && part.has[code] === true);
}

const SLASH = 0x2f;

/** Undefined if the pattern is malformed, which matches nothing. */
function readParts(pattern: string, crosses: boolean): Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; ) {
    const sign = pattern[at]!;
    if (sign === "*") {
      let end = at;
      while (pattern[end] === "*") end++;
      const next = pattern[end];
      const startsName = !crosses && (at === 0 || pattern[at - 1] === "/");
      if (end - at > 1 && startsName && next === undefined) parts.push({ kind: "rest" });
      else if (end - at > 1 && startsName && (next === "/" || pattern.startsWith("\\/", end))) {
        parts.push({ kind: "folders" });
        end += next === "/" ? 1 : 2;
      } else parts.push({ kind: "star" });
      at = end;
    } else if (sign === "?") {
      parts.push({ kind: "any" });
      at++;
    } else if (sign === "[") {
      const set = readSet(pattern, at);
      if (!set) return undefined;
      parts.push(set.part);
      at = set.end;
    } else {
      const escaped = sign === "\\";
      if (escaped && at + 1 === pattern.length) return undefined;
      parts.push({ kind: "byte", code: pattern.charCodeAt(escaped ? at + 1 : at) });
      at += escaped ? 2 : 1;
    }
  }
  return parts;
}

/** POSIX classes of ASCII. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Parses `[a-z[:digit:]]`, starting at its bracket. */
function readSet(pattern: string, from: number): { part: Part; end: number } | undefined {
  const has = new Array<boolean>(256).fill(false);
  let at = from + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  // The first character may be the closing bracket itself; a range needs a character before it.
  let before = -1;
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    if (at >= pattern.length) return undefined;
    const sign = pattern[at]!;
    if (sign === "[" && pattern[at + 1] === ":") {
      const close = pattern.indexOf("]", at + 2);
      if (close < 0) return undefined;
      if (close > at + 2 && pattern[close - 1] === ":") {
        const name = pattern.slice(at + 2, close - 1);
        const members = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
        if (!members) return undefined;
        for (let code = 0; code < 128; code++) if (members.test(String.fromCharCode(code))) has[code] = true;
        before = -1;
        at = close + 1;
        continue;
      }
    }
    const next = pattern[at + 1];
    if (sign === "-" && before >= 0 && next !== undefined && next !== "]") {
      at += next === "\\" ? 2 : 1;
      if (at >= pattern.length) return undefined;
      const last = pattern.charCodeAt(at);
      for (let code = before; code <= last; code++) has[code] = true;
      before = -1;
      at++;
      continue;
    }
    if (sign === "\\") at++;
    if (at >= pattern.length) return undefined;
    before = pattern.charCodeAt(at);
    has[before] = true;
    at++;
  }
  return { part: { kind: "set", has: negated ? has.map((member) => !member) : has }, end: at + 1 };
}
