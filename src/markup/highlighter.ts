/** Source text to highlighted lines: the module that contains highlight.js for files. Load it in a worker. */
import hljs from "highlight.js";
import { languageOf } from "./languages.ts";
import { type SafeHtml, trustHtml } from "./safe-html.ts";

export interface Highlighted {
  /** One entry per line, without newlines: escaped text in `<span class="hljs-…">`. */
  readonly lines: readonly SafeHtml[];
  /** The display name of the language; absent for plain text. */
  readonly language?: string;
}

/** Larger files are shown plain: highlighting takes 0.4 ms per kilobyte (dependencies.md section 7). */
const LARGEST_BYTES = 512 * 1024;
/** Many grammars take quadratic time on a line that is one word: 8 KB took seconds, 2 KB take milliseconds. */
const MAX_LINE = 2_000;
const MAX_FENCE = 32 * 1024;
/** Time for all fences of a text; any after that are not highlighted. */
const FENCES_MS = 1_000;
/** Maximum spans on a page. A browser lays out 20,000 elements well, and each line already is one. */
const MAX_SPANS = 12_000;

/** Least informative classes first: a long file loses the colour of its numbers before that of its comments. */
const EXPENDABLE = [
  "hljs-params",
  "hljs-operator",
  "hljs-punctuation",
  "hljs-property",
  "hljs-attr",
  "hljs-variable",
  "hljs-number",
  "hljs-built_in",
  "hljs-literal",
  "hljs-title",
  "hljs-meta",
  "hljs-type",
  "hljs-keyword",
  "hljs-string",
];

/**
 * Highlights a file according to its name, or in the given language. Carriage returns at line ends are dropped; a final
 * newline does not start another line. If it is too large, or has very long lines: plain, escaped lines.
 */
export function highlightLines(source: string, file: { fileName: string; language?: string }): Highlighted {
  const text = source.replaceAll("\r\n", "\n");
  const name = file.language ?? languageOf(file.fileName, text.slice(0, text.indexOf("\n") + 1 || 200));
  const language = name === "" ? undefined : hljs.getLanguage(name);
  if (!language || text.length > LARGEST_BYTES || hasLongLine(text))
    return { lines: plain(text), language: language?.name };
  const html = hljs.highlight(text, { language: name, ignoreIllegals: true }).value;
  return { lines: splitLines(html), language: language.name };
}

/**
 * Highlights the fences of one text; returns an empty string for an unknown language, a very long fence or line, and
 * once the time is used up.
 */
export function fenceColours(
  clock: () => number = () => performance.now(),
): (code: string, language: string) => string {
  let spentMs = 0;
  return (code, language) => {
    if (spentMs > FENCES_MS || code.length > MAX_FENCE || hasLongLine(code) || !hljs.getLanguage(language)) return "";
    const began = clock();
    const html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
    spentMs += clock() - began;
    return html;
  };
}

/** The lines of a text, escaped. */
export function plain(text: string): SafeHtml[] {
  return withoutLastEmpty(Bun.escapeHTML(text).split("\n"));
}

function hasLongLine(text: string): boolean {
  let from = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
    if (end - from > MAX_LINE) return true;
    from = end + 1;
  }
  return text.length - from > MAX_LINE;
}

function withoutLastEmpty(lines: string[]): SafeHtml[] {
  if (lines.at(-1) === "") lines.pop();
  return lines.map(trustHtml);
}

const PIECE = /<span class="([^"]*)">|<\/span>|\n/g;

/** Splits the highlighter's HTML at newlines, closing and reopening the spans that cross them. */
export function splitLines(html: string): SafeHtml[] {
  const dropped = expendable(html);
  const lines: string[] = [];
  /** The open spans; an empty string for a dropped one. */
  const open: string[] = [];
  let line = "";
  let from = 0;
  for (const piece of html.matchAll(PIECE)) {
    line += html.slice(from, piece.index);
    from = piece.index + piece[0].length;
    if (piece[0] === "\n") {
      for (const span of open) if (span !== "") line += "</span>";
      lines.push(line);
      line = open.join("");
    } else if (piece[0] === "</span>") {
      if (open.pop() !== "") line += "</span>";
    } else {
      const span = dropped.has((piece[1] ?? "").split(" ", 1)[0] ?? "") ? "" : piece[0];
      open.push(span);
      line += span;
    }
  }
  lines.push(line + html.slice(from));
  return withoutLastEmpty(lines);
}

/** The classes to drop so that the page stays within its maximum number of elements. */
function expendable(html: string): Set<string> {
  const dropped = new Set<string>();
  const counts = new Map<string, number>();
  const open: string[] = [];
  let total = 0;
  const add = (name: string) => {
    total++;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const piece of html.matchAll(PIECE)) {
    if (piece[0] === "\n") for (const name of open) add(name);
    else if (piece[0] === "</span>") open.pop();
    else {
      const name = (piece[1] ?? "").split(" ", 1)[0] ?? "";
      open.push(name);
      add(name);
    }
  }
  for (const name of EXPENDABLE) {
    if (total <= MAX_SPANS) break;
    total -= counts.get(name) ?? 0;
    dropped.add(name);
  }
  return dropped;
}
