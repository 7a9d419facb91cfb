/** Source text to coloured lines: the module that holds highlight.js for files. Load it in a worker. */
import hljs from "highlight.js";
import { languageOf } from "./languages.ts";
import { type SafeHtml, trustHtml } from "./safe-html.ts";

export interface Highlighted {
  /** One entry a line, without line ends: escaped text in `<span class="hljs-…">`. */
  readonly lines: readonly SafeHtml[];
  /** The language's name for people; absent for plain text. */
  readonly language?: string;
}

/** Above these a file is shown plain: colouring takes 0.4 ms a kilobyte (dependencies.md section 7). */
const LARGEST_BYTES = 512 * 1024;
/** Many grammars take quadratic time in a line that is one word: 8 KB of it took seconds, 2 KB take milliseconds. */
const MAX_LINE = 2_000;
const MAX_FENCE = 32 * 1024;
/** All fences of a text; what comes after it is shown without colours. */
const FENCES_MS = 1_000;
/** Spans a page may have. A browser lays out 20,000 elements well, and each line is one already. */
const MAX_SPANS = 12_000;

/** The least telling classes first: a long file loses the colour of its numbers before that of its comments. */
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
 * Colours a file by its name, or by a language given. Carriage returns at line ends are dropped, the last line end makes
 * no line. Too large, or with very long lines: plain, escaped lines.
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

/** Colours the fences of one text; empty for an unknown language, a very long fence or line, and when it took too long so far. */
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

/** Cuts the highlighter's HTML at line ends, closing and opening again the spans that run over them. */
export function splitLines(html: string): SafeHtml[] {
  const dropped = expendable(html);
  const lines: string[] = [];
  /** The open spans; an empty string for one that is left out. */
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

/** The classes to leave out so that the page stays within its elements. */
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
