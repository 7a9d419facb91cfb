import { raw, type SafeHtml } from "../jsx/raw.ts";

export interface CodeViewProps {
  /** The lines as elements with their numbers (src/markup/code-lines.ts). */
  readonly html: SafeHtml;
  readonly lineCount: number;
  /** Columns of a tab, 1 to 16. */
  readonly tabWidth?: number;
  /** Names the region for screen readers, usually the path. */
  readonly label: string;
}

const TAB_WIDTHS = new Set([1, 2, 3, 4, 8]);

/**
 * Source text, one element per line. The number is generated content, so it is never selected or copied, and the line
 * itself is the anchor (`#L10`). Built as one string: 7,000 components would take a hundred times as long.
 */
export function CodeView({ html, lineCount, tabWidth = 4, label }: CodeViewProps) {
  const width = String(lineCount).length;
  const tab = TAB_WIDTHS.has(tabWidth) ? tabWidth : 4;
  const classes = `code code-n${Math.min(7, Math.max(2, width))} tab-${tab}`;
  return (
    <section class={classes} id="code" aria-label={label} tabindex={0}>
      <pre>{raw(html)}</pre>
    </section>
  );
}
