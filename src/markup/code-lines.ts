import { type SafeHtml, trustHtml } from "./safe-html.ts";

/** A file as a page shows it: one string, because a long one has tens of thousands of lines. */
export interface CodeHtml {
  /** Each line as an element with its number as id (`L10`). */
  readonly html: SafeHtml;
  readonly lineCount: number;
  /** The language's name for people; absent for plain text. */
  readonly language?: string;
}

/** The lines as elements with their numbers; each is escaped text or spans of the highlighter, without its line end. */
export function codeLines(lines: readonly SafeHtml[]): SafeHtml {
  let html = "";
  let number = 0;
  for (const line of lines) {
    number++;
    html += `<span class="l" id="L${number}" data-n="${number}">${line}\n</span>`;
  }
  return trustHtml(html);
}

/** Lines of plain text, escaped; the last line end makes no line. */
export function plainLines(text: string): SafeHtml[] {
  const lines = Bun.escapeHTML(text.replaceAll("\r\n", "\n")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(trustHtml);
}
