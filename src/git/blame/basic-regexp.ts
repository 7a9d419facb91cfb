import { GitError } from "../errors.ts";

/** The text is no basic regular expression. */
export class BadRegexp extends GitError {
  override name = "BadRegexp";
}

/**
 * A POSIX basic regular expression (as `grep` without options takes) for text in which one character is a byte. Lines
 * are apart: `.` and negated sets do not match a newline, `^` and `$` match at lines.
 * @throws BadRegexp
 */
export function basicRegexp(source: string): RegExp {
  let text = "";
  /** At a place where `^` is an anchor and `*` is not an operator. */
  let fresh = true;
  for (let at = 0; at < source.length; ) {
    const character = source[at]!;
    if (character === "[") {
      const set = bracket(source, at);
      text += set.text;
      at = set.end;
      fresh = false;
      continue;
    }
    at++;
    if (character === "\\") {
      const next = source[at++];
      if (next === undefined) throw new BadRegexp("Trailing backslash");
      const known = ESCAPED[next];
      text += known ?? (/[1-9]/.test(next) ? `\\${next}` : literal(next));
      fresh = next === "(" || next === "|";
    } else if (character === "*") {
      text += fresh ? "\\*" : "*";
      fresh = false;
    } else if (character === "^" && fresh) {
      text += "^";
    } else if (character === "$" && (at === source.length || /^\\[)|]/.test(source.slice(at, at + 2)))) {
      text += "$";
      fresh = false;
    } else {
      text += character === "." ? "[^\\n]" : literal(character);
      fresh = false;
    }
  }
  try {
    return new RegExp(text, "m");
  } catch {
    throw new BadRegexp("Invalid regular expression");
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  "(": "(",
  ")": ")",
  "{": "{",
  "}": "}",
  "|": "|",
  "+": "+",
  "?": "?",
  w: "\\w",
  W: "\\W",
  s: "\\s",
  S: "\\S",
  b: "\\b",
  B: "\\B",
  "<": "\\b(?=\\w)",
  ">": "\\b(?<=\\w)",
};

const CLASSES: Readonly<Record<string, string>> = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "A-Za-z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: " \\t\\n\\r\\f\\v",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`{-~",
  print: " -~",
  graph: "!-~",
  cntrl: "\\x00-\\x1f\\x7f",
  xdigit: "0-9A-Fa-f",
};

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** `[…]` at a place. @throws BadRegexp when it does not end */
function bracket(source: string, from: number): { text: string; end: number } {
  let at = from + 1;
  const negated = source[at] === "^";
  if (negated) at++;
  let text = "";
  for (let first = true; ; first = false) {
    const character = source[at];
    if (character === undefined) throw new BadRegexp("Invalid regular expression");
    if (character === "]" && !first) break;
    const named = /^\[:([a-z]+):\]/.exec(source.slice(at, at + 16));
    if (named) {
      const members = Object.hasOwn(CLASSES, named[1]!) ? CLASSES[named[1]!] : undefined;
      if (members === undefined) throw new BadRegexp("Invalid character class name");
      text += members;
      at += named[0].length;
      continue;
    }
    text += /[\\[\]^]/.test(character) ? `\\${character}` : character;
    at++;
  }
  return { text: negated ? `[^\\n${text}]` : `[${text}]`, end: at + 1 };
}
