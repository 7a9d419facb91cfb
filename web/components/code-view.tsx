import { raw, type SafeHtml, trustHtml } from "../jsx/raw.ts";

export interface CodeViewProps {
  /** One entry a line, without line ends: spans of the highlighter, or escaped text. */
  readonly lines: readonly SafeHtml[];
  /** Columns of a tab, 1 to 16. */
  readonly tabWidth?: number;
  /** Names the region for screen readers, usually the path. */
  readonly label: string;
}

const TAB_WIDTHS = new Set([1, 2, 3, 4, 8]);

/**
 * Source text, one element a line. The number is generated content of the line, so it is never selected or copied,
 * and the line itself is the anchor (`#L10`). Built as one string: 7,000 components would take a hundred times as long.
 */
export function CodeView({ lines, tabWidth = 4, label }: CodeViewProps) {
  const width = String(lines.length).length;
  const tab = TAB_WIDTHS.has(tabWidth) ? tabWidth : 4;
  const classes = `code code-n${Math.min(7, Math.max(2, width))} tab-${tab}`;
  return (
    <section class={classes} id="code" aria-label={label} tabindex={0}>
      <pre>{raw(codeLines(lines))}</pre>
    </section>
  );
}

/** The lines as elements with their numbers. */
export function codeLines(lines: readonly SafeHtml[]): SafeHtml {
  let html = "";
  let number = 0;
  for (const line of lines) {
    number++;
    html += `<span class="l" id="L${number}" data-n="${number}">${line}\n</span>`;
  }
  return trustHtml(html);
}

/** Lines of plain text, escaped, for what is not highlighted. */
export function plainLines(text: string): SafeHtml[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => trustHtml(Bun.escapeHTML(line.endsWith("\r") ? line.slice(0, -1) : line)));
}
