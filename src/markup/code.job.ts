import { type CodeHtml, codeLines } from "./code-lines.ts";
import { highlightLines } from "./highlighter.ts";

/** Highlights a file for a page, in a worker. */
export function run(input: { source: string; fileName: string; language?: string }): CodeHtml {
  const { lines, language } = highlightLines(input.source, input);
  return { html: codeLines(lines), lineCount: lines.length, ...(language === undefined ? {} : { language }) };
}
