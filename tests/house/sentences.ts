/**
 * Finds what a page says to people outside of a catalogue. The transpiler takes types and comments away and writes JSX
 * as calls of `h`, so a few tokens are all that has to be understood: text between tags is an argument after the second,
 * an attribute is a key of an object.
 */

/** Attributes and properties whose values people read. */
const READ_KEYS = new Set(
  "title label hint placeholder alt text lead empty menuLabel prefix description aria-label aria-description detail".split(
    " ",
  ),
);
/** Names that are the same in every language. */
const NAMES = new Set([
  "API",
  "Bun",
  "Hearth",
  "SQLite",
  "SHA-256",
  "SHA-1",
  "HTTPS",
  "HTTP",
  "SSH",
  "README",
  "Markdown",
  "Atom",
  "RSS",
]);
/** What programs are told, in plain text. */
const FOR_PROGRAMS = new Set(["Not found."]);
const HAS_WORD = /\p{L}{2,}/u;
/** "Your password was changed." wherever it stands. */
const SENTENCE = /^\p{Lu}\p{Ll}+(?:'\p{Ll}+)? [^<>{}]*\p{L}[.!?:]$/u;

interface Frame {
  readonly kind: "element" | "object" | "other";
  /** Of an element: which argument we are in. */
  argument: number;
  /** Of an object: the key whose value we are in. */
  key: string | undefined;
}

/** The transpiler would run macros, which it looks for beside the test. */
const MACRO_IMPORT = / with \{\s*type: "macro",?\s*\};/g;
/** A key that is looked for: `"html" in body`. */
const ASKED_KEY = /"\w+"(?= in )/g;
const tsconfig = JSON.stringify({
  compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" },
});
const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts", tsconfig }),
  tsx: new Bun.Transpiler({ loader: "tsx", tsconfig }),
};

/** The texts in a source file that people would read on a page. */
export function sentencesIn(source: string, loader: "ts" | "tsx"): string[] {
  const found: string[] = [];
  const frames: Frame[] = [];
  let before = "";
  let wasCall = false;
  const script = transpilers[loader].transformSync(source.replace(MACRO_IMPORT, ";")).replace(ASKED_KEY, '""');
  for (const { token, text } of tokens(script)) {
    const frame = frames.at(-1);
    if (text !== undefined) {
      // What a value is compared with is read by no one.
      const isRead =
        (before !== "=" && frame?.kind === "element" && frame.argument >= 2) ||
        (before !== "=" && frame?.kind === "object" && frame.key !== undefined && READ_KEYS.has(frame.key)) ||
        SENTENCE.test(text.trim());
      const isKey = frame?.kind === "object" && frame.key === undefined;
      // `description: "description"` tells which field of a form a service's field is.
      const isName = frame?.kind === "object" && frame.key === text;
      if (isKey) frame.key = text;
      else if (isRead && !isName && HAS_WORD.test(text) && !NAMES.has(text.trim()) && !FOR_PROGRAMS.has(text.trim()))
        found.push(text.trim());
    } else if (token === "(") {
      // `h(` opens an element; a group belongs to what it stands in.
      const kind = wasCall && before === "h" ? "element" : wasCall ? "other" : (frame?.kind ?? "other");
      frames.push({ kind, argument: kind === "element" && !wasCall ? (frame?.argument ?? 0) : 0, key: frame?.key });
    } else if (token === "{") frames.push({ kind: "object", argument: 0, key: undefined });
    else if (token === "[") frames.push({ kind: "other", argument: 0, key: undefined });
    else if (token === ")" || token === "}" || token === "]") frames.pop();
    else if (token === "," && frame) {
      frame.argument++;
      if (frame.kind === "object") frame.key = undefined;
    } else if (frame?.kind === "object" && frame.key === undefined && /^[\w$]+$/.test(token)) frame.key = token;
    wasCall = /^[\w$)\]]+$/.test(token) && !/^(return|case|typeof|in|of|if|while|for|switch|await|else)$/.test(token);
    before = token;
  }
  return found;
}

/** Words and signs of a script; `text` is what a literal says, without what a template fills in. */
function* tokens(script: string): Generator<{ readonly token: string; readonly text?: string }> {
  const pattern =
    /\s+|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[\w$]+|[^\s]/gsy;
  let isValueBefore = false;
  let match = pattern.exec(script);
  while (match) {
    const [token, double, single, template] = match;
    if (token.startsWith("/") && token.length > 1 && isValueBefore) {
      // A division, not a pattern.
      pattern.lastIndex = match.index + 1;
      yield { token: "/" };
      isValueBefore = false;
    } else if (!/^\s/.test(token)) {
      const text = double ?? single ?? template?.replace(/\$\{[^}]*\}/g, " ");
      yield text === undefined ? { token } : { token: '"', text: unescaped(text) };
      isValueBefore = /[\w$)\]"'`]$/.test(token);
    }
    match = pattern.exec(script);
  }
}

function unescaped(text: string): string {
  return text
    .replace(/\\u\{?([0-9a-f]+)\}?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/\\n/g, "\n")
    .replace(/\\(.)/g, "$1");
}
