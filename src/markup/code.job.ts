import { type CodeHtml, codeLines } from "./code-lines.ts";
import { highlightLines } from "./highlighter.ts";

/** Colours a file in a worker, for a page. */
export function run(input: { source: string; fileName: string; language?: string }): CodeHtml {
  const { lines, language } = highlightLines(input.source, input);
  return { html: codeLines(lines), lineCount: lines.length, ...(language === undefined ? {} : { language }) };
}
