import type { DiffGap, DiffHunk, DiffStyle } from "./diff-types.ts";

/** Lines revealed at a time above or below a gap; a gap of this size or less is shown whole. */
export const EXPANDED_LINES = 20;

/** Texts in the rows besides the lines. */
export interface RowWords {
  readonly noNewline: string;
  readonly expandUp: string;
  readonly expandDown: string;
  readonly expandAll: string;
  /** Where all lines of the file are shown without JavaScript; absent: no more lines can be shown. */
  readonly wholeHref?: string | undefined;
}

/** For an empty side, the hunk header names the line before it. */
const first = (start: number, lines: number) => (lines === 0 ? start + 1 : start);

export function firstOf({ oldStart, oldLines, newStart, newLines }: DiffHunk): Pick<DiffGap, "left" | "right"> {
  return { left: first(oldStart, oldLines), right: first(newStart, newLines) };
}

export function lastOf(hunk: DiffHunk): Pick<DiffGap, "lastLeft" | "lastRight"> {
  const { left, right } = firstOf(hunk);
  return { lastLeft: left + hunk.oldLines - 1, lastRight: right + hunk.newLines - 1 };
}

export function rangeOf(hunk: Pick<DiffHunk, "oldStart" | "oldLines" | "newStart" | "newLines">): string {
  return `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
}

/**
 * The row that stands for hidden lines, with controls to show them. The script (`web/content/modules/diffs.ts`) fetches
 * them by the numbers in `data-gap`.
 */
export function gapRow(gap: DiffGap, style: DiffStyle, words: RowWords, text: string): string {
  const [numbers, rest] = style === "split" ? [1, 3] : [2, 1];
  const missing = gap.right - gap.lastRight - 1;
  const data = [gap.lastLeft, gap.lastRight, gap.left, gap.right, gap.isLast ? 1 : 0].join(",");
  const isOpen = missing > 0 && words.wholeHref !== undefined;
  const links = isOpen ? expanders(gap, missing, words) : "";
  return `<tr class="hunk"${isOpen ? ` data-gap="${data}"` : ""}><td class="no" colspan="${numbers}">${links}</td><td colspan="${rest}">${Bun.escapeHTML(text)}</td></tr>`;
}

function expanders(gap: DiffGap, missing: number, words: RowWords): string {
  const link = (direction: string, icon: string, label: string) =>
    `<a class="x i-${icon}" href="${Bun.escapeHTML(words.wholeHref ?? "")}" data-expand="${direction}" aria-label="${Bun.escapeHTML(label)}" title="${Bun.escapeHTML(label)}"></a>`;
  if (missing <= EXPANDED_LINES) return link("", "unfold", words.expandAll);
  const down = gap.lastRight === 0 ? "" : link("down", "fold-down", words.expandDown);
  const up = gap.isLast ? "" : link("up", "fold-up", words.expandUp);
  return down + up;
}
