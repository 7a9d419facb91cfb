/** The rows of a diff as one string: a large diff has tens of thousands of cells. Everything is escaped here. */
import { type SafeHtml, trustHtml } from "../jsx/raw.ts";
import type { DiffHunk, DiffLine, DiffStyle } from "./diff-types.ts";

/** A line's text, escaped, its changed words marked. */
export function markedText({ text, marks }: DiffLine): string {
  if (!marks || marks.length === 0) return Bun.escapeHTML(text);
  let html = "";
  let at = 0;
  for (const [start, end] of marks) {
    const from = Math.max(at, Math.min(start, text.length));
    const to = Math.max(from, Math.min(end, text.length));
    html += Bun.escapeHTML(text.slice(at, from));
    if (to > from) html += `<b>${Bun.escapeHTML(text.slice(from, to))}</b>`;
    at = to;
  }
  return html + Bun.escapeHTML(text.slice(at));
}

const CLASS = { context: "", add: ' class="add"', del: ' class="del"' } as const;

function number(prefix: string, side: "L" | "R", no: number | undefined): string {
  return no === undefined ? '<td class="no"></td>' : `<td class="no" id="${prefix}${side}${no}" data-n="${no}"></td>`;
}

/** @param noNewline the note under a last line that does not end, as HTML */
function cell(line: DiffLine | undefined, noNewline: string): string {
  if (!line) return '<td class="none"></td>';
  return `<td${CLASS[line.kind]}>${markedText(line)}${line.noNewline ? noNewline : ""}</td>`;
}

function unified(hunk: DiffHunk, prefix: string, noNewline: string): string {
  let html = "";
  for (const line of hunk.lines)
    html += `<tr${CLASS[line.kind]}>${number(prefix, "L", line.oldNo)}${number(prefix, "R", line.newNo)}${cell(line, noNewline)}</tr>`;
  return html;
}

/** Removed and added lines of one change stand side by side, in order. */
function split(hunk: DiffHunk, prefix: string, noNewline: string): string {
  let html = "";
  const row = (left: DiffLine | undefined, right: DiffLine | undefined) => {
    html += `<tr>${number(prefix, "L", left?.oldNo)}${cell(left, noNewline)}${number(prefix, "R", right?.newNo)}${cell(right, noNewline)}</tr>`;
  };
  let at = 0;
  while (at < hunk.lines.length) {
    const line = hunk.lines[at]!;
    if (line.kind === "context") {
      row(line, line);
      at++;
      continue;
    }
    const removed: DiffLine[] = [];
    const added: DiffLine[] = [];
    while (hunk.lines[at]?.kind === "del") removed.push(hunk.lines[at++]!);
    while (hunk.lines[at]?.kind === "add") added.push(hunk.lines[at++]!);
    for (let pair = 0; pair < Math.max(removed.length, added.length); pair++) row(removed[pair], added[pair]);
  }
  return html;
}

/**
 * The bodies of a diff table, one `<tbody>` a hunk.
 * @param prefix begins the ids of line numbers (`diff-<hash>`)
 * @param noNewline what is said of a last line that does not end
 */
export function diffRows(hunks: readonly DiffHunk[], style: DiffStyle, prefix: string, noNewline: string): SafeHtml {
  const note = `<i class="no-newline">${Bun.escapeHTML(noNewline)}</i>`;
  const columns = style === "split" ? 4 : 3;
  let html = "";
  for (const hunk of hunks) {
    const range = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
    html += `<tbody><tr class="hunk"><td colspan="${columns}">${range} ${Bun.escapeHTML(hunk.heading)}</td></tr>`;
    html += style === "split" ? split(hunk, prefix, note) : unified(hunk, prefix, note);
    html += "</tbody>";
  }
  return trustHtml(html);
}
