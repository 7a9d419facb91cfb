/** The rows of a diff as one string: a large diff has tens of thousands of cells. Everything is escaped here. */
import { type SafeHtml, trustHtml } from "../jsx/raw.ts";
import type { DiffHunk, DiffLine, DiffStyle, LineSlots } from "./diff-types.ts";

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

type Side = "L" | "R";

/** What is the same for all rows of a file. */
interface Rows {
  readonly prefix: string;
  readonly noNewline: string;
  readonly slots: LineSlots | undefined;
}

function number({ prefix }: Rows, side: Side, no: number | undefined): string {
  return no === undefined ? '<td class="no"></td>' : `<td class="no" id="${prefix}${side}${no}" data-n="${no}"></td>`;
}

function button({ slots }: Rows, side: Side, no: number | undefined): string {
  if (!slots?.form || no === undefined) return "";
  return `<button class="line-add" form="${slots.form}" name="comment" value="${side}${no}">+</button>`;
}

function under({ slots }: Rows, side: Side, no: number | undefined): string {
  const notes = no === undefined ? undefined : slots?.under.get(`${side}${no}`);
  return notes ? String(notes) : "";
}

function cell(rows: Rows, line: DiffLine | undefined, side: Side): string {
  if (!line) return '<td class="none"></td>';
  const add = button(rows, side, side === "L" ? line.oldNo : line.newNo);
  return `<td${CLASS[line.kind]}>${add}${markedText(line)}${line.noNewline ? rows.noNewline : ""}</td>`;
}

function unified(hunk: DiffHunk, rows: Rows): string {
  let html = "";
  for (const line of hunk.lines) {
    const side = line.kind === "del" ? "L" : "R";
    html += `<tr${CLASS[line.kind]}>${number(rows, "L", line.oldNo)}${number(rows, "R", line.newNo)}${cell(rows, line, side)}</tr>`;
    const notes = under(rows, "L", line.oldNo) + under(rows, "R", line.newNo);
    if (notes) html += `<tr class="under"><td colspan="3">${notes}</td></tr>`;
  }
  return html;
}

/** Removed and added lines of one change stand side by side, in order. */
function split(hunk: DiffHunk, rows: Rows): string {
  let html = "";
  const row = (left: DiffLine | undefined, right: DiffLine | undefined) => {
    html += `<tr>${number(rows, "L", left?.oldNo)}${cell(rows, left, "L")}${number(rows, "R", right?.newNo)}${cell(rows, right, "R")}</tr>`;
    const notes = [under(rows, "L", left?.oldNo), under(rows, "R", right?.newNo)];
    if (notes.join(""))
      html += `<tr class="under"><td colspan="2">${notes[0]}</td><td colspan="2">${notes[1]}</td></tr>`;
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
export function diffRows(
  hunks: readonly DiffHunk[],
  style: DiffStyle,
  prefix: string,
  noNewline: string,
  slots?: LineSlots,
): SafeHtml {
  const rows = { prefix, noNewline: `<i class="no-newline">${Bun.escapeHTML(noNewline)}</i>`, slots };
  const columns = style === "split" ? 4 : 3;
  let html = "";
  for (const hunk of hunks) {
    const range = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
    html += `<tbody><tr class="hunk"><td colspan="${columns}">${range} ${Bun.escapeHTML(hunk.heading)}</td></tr>`;
    html += style === "split" ? split(hunk, rows) : unified(hunk, rows);
    html += "</tbody>";
  }
  return trustHtml(html);
}
