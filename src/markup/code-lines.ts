import { withCodePoints } from "./hidden-characters.ts";
import { type SafeHtml, trustHtml } from "./safe-html.ts";

/** A file as displayed on a page: a single string, because a long file has tens of thousands of lines. */
export interface CodeHtml {
  /** Each line as an element with its number as id (`L10`). */
  readonly html: SafeHtml;
  readonly lineCount: number;
  /** The display name of the language; absent for plain text. */
  readonly language?: string;
}

const LINE_END = "\n</span>";

/** Extracts some of those lines in their original form. @param first 1-based; @param last inclusive */
export function linesOf(html: SafeHtml, first: number, last: number): SafeHtml[] {
  const found: SafeHtml[] = [];
  let at = html.indexOf(opening(first));
  for (let number = first; number <= last && at >= 0; number++) {
    const end = html.indexOf(LINE_END, at);
    found.push(trustHtml(html.slice(at + opening(number).length, end)));
    at = end + LINE_END.length;
  }
  return found;
}

const opening = (number: number) => `<span class="l" id="L${number}" data-n="${number}">`;

/** The lines as numbered elements; each is escaped text or highlighter spans, without a newline. */
export function codeLines(lines: readonly SafeHtml[]): SafeHtml {
  let html = "";
  let number = 0;
  for (const line of lines) {
    number++;
    html += opening(number) + line + LINE_END;
  }
  return withCodePoints(trustHtml(html));
}

/** Lines of plain text, escaped; a final newline does not start another line. */
export function plainLines(text: string): SafeHtml[] {
  const lines = Bun.escapeHTML(text.replaceAll("\r\n", "\n")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(trustHtml);
}
