/** Finds the regular expressions of a source text and tries them on what makes a backtracking matcher slow. */

export interface Found {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** After these a slash begins a regular expression; after anything else it divides. */
const BEFORE = /(?:[(,=:[!&|?{};~+*%^-]|\breturn|\btypeof|\bcase|\bof|\bin|=>)\s*$/;

/** The literals of a TypeScript source, comments and texts left out. */
export function regularExpressionsIn(file: string, text: string): Found[] {
  const found: Found[] = [];
  let at = 0;
  let code = "";
  const templates: number[] = [];
  let braces = 0;
  const skipText = (quote: string) => {
    for (at++; at < text.length && text[at] !== quote; at++) {
      if (text[at] === "\\") at++;
      else if (quote === "`" && text[at] === "$" && text[at + 1] === "{") {
        templates.push(braces);
        at += 2;
        return;
      }
    }
    at++;
  };
  while (at < text.length) {
    const character = text[at] ?? "";
    if (text.startsWith("//", at)) at = endAt(text, "\n", at);
    else if (text.startsWith("/*", at)) at = endAt(text, "*/", at + 2) + 2;
    else if (character === '"' || character === "'" || character === "`") {
      skipText(character);
      code = '"';
    } else if (character === "}" && templates.at(-1) === braces) {
      templates.pop();
      skipText("`");
      code = '"';
    } else if (character === "/" && (code === "" || BEFORE.test(code))) {
      const end = endOfExpression(text, at);
      if (end === undefined) at++;
      else {
        const flags = /^[a-z]*/.exec(text.slice(end + 1, end + 10))?.[0] ?? "";
        const line = text.slice(0, at).split("\n").length;
        found.push({ file, line, source: text.slice(at + 1, end), flags });
        at = end + 1 + flags.length;
        code = '"';
      }
    } else {
      if (character === "{") braces++;
      if (character === "}") braces--;
      code = (code + character).slice(-20);
      at++;
    }
  }
  return found;
}

function endAt(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

function endOfExpression(text: string, from: number): number | undefined {
  let inClass = false;
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "/" && !inClass) return at;
  }
  return undefined;
}

/** Characters that an expression's classes and letters stand for, one for each. */
function charactersOf(source: string): string[] {
  const found = new Set<string>();
  const escapes: Record<string, string> = { s: " ", d: "0", w: "a", n: "\n", t: "\t", r: "\r", S: "x", W: "!", D: "x" };
  for (const [piece] of source.matchAll(/\\.|[^\\]/gs)) {
    if (piece.startsWith("\\")) found.add(escapes[piece.slice(1)] ?? piece.slice(1));
    else if (!"^$*+?()[]{}|.".includes(piece)) found.add(piece);
    else if (piece === "." || piece === "[") found.add("a");
  }
  found.add("a");
  return [...found].slice(0, 24);
}

/** Texts of about `size` characters that repeat pieces of what the expression looks for, and end as it does not expect. */
export function hostileTexts(source: string, size: number): string[] {
  const characters = charactersOf(source);
  const texts: string[] = [];
  const literal = source
    .replace(/\\(.)/g, "$1")
    .replace(/[\^$*+?()[\]{}|]/g, "")
    .slice(0, 40);
  const pieces = new Set([...characters, literal]);
  for (const one of characters.slice(0, 6)) for (const two of characters.slice(0, 6)) pieces.add(one + two);
  for (const piece of pieces) {
    if (piece === "") continue;
    const body = piece.repeat(Math.ceil(size / piece.length));
    texts.push(`${body}\u0001`);
    // A beginning that fits, then what repeats.
    for (const first of characters.slice(0, 2)) texts.push(`${first}${body}\n\u0001`);
  }
  return texts;
}

/**
 * Milliseconds of CPU a search takes at most over these texts; stops when one took longer than `enoughMs`. CPU, not the
 * clock: a machine that does other work makes no expression slow.
 */
export function slowestMs({ source, flags }: Found, texts: readonly string[], enoughMs: number): number {
  const expression = new RegExp(source, flags.replace(/[gy]/g, ""));
  let most = 0;
  for (const text of texts) {
    const before = process.cpuUsage();
    expression.test(text);
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (user + system) / 1000);
    if (most > enoughMs) break;
  }
  return most;
}
