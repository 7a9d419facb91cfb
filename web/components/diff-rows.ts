/** The rows of a diff as one string: a large diff has tens of thousands of cells. Everything is escaped here. */
import { type SafeHtml, trustHtml } from "../jsx/raw.ts";
import { firstOf, gapRow, lastOf, type RowWords, rangeOf } from "./diff-gaps.ts";
import type { DiffHunk, DiffLine, DiffStyle, FileDiff, LineSlots } from "./diff-types.ts";

/** A line's text, escaped, with its changed words marked. */
export function markedText({ text, html: coloured, marks }: DiffLine): string {
  if (coloured !== undefined) return coloured;
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

/** Shared by all rows of a file. */
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

/** Pairs the removed and added lines of one change side by side, in order. */
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
 * The bodies of a diff table: one `<tbody>` per hunk, and one for what follows the last hunk.
 * @param prefix begins the ids of line numbers (`diff-<hash>`)
 */
export function diffRows(
  file: FileDiff,
  style: DiffStyle,
  prefix: string,
  words: RowWords,
  slots?: LineSlots,
): SafeHtml {
  const rows = rowsOf(prefix, words, slots);
  let html = "";
  let above = { lastLeft: 0, lastRight: 0 };
  for (const hunk of file.hunks) {
    const gap = { ...above, ...firstOf(hunk) };
    html += `<tbody>${gapRow(gap, style, words, `${rangeOf(hunk)} ${hunk.heading}`)}`;
    html += style === "split" ? split(hunk, rows) : unified(hunk, rows);
    html += "</tbody>";
    above = lastOf(hunk);
  }
  const total = file.newLineCount ?? 0;
  if (above.lastRight < total && words.wholeHref) {
    const gap = { ...above, left: total + 1 - above.lastRight + above.lastLeft, right: total + 1, isLast: true };
    html += `<tbody>${gapRow(gap, style, words, "")}</tbody>`;
  }
  return trustHtml(html);
}

/** Unchanged lines as rows; `words.form` as in `LineSlots`. */
export function contextRows(
  lines: readonly DiffLine[],
  style: DiffStyle,
  prefix: string,
  words: RowWords,
  slots?: LineSlots,
): string {
  const rows = rowsOf(prefix, words, slots);
  const hunk = { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, heading: "", lines };
  return style === "split" ? split(hunk, rows) : unified(hunk, rows);
}

function rowsOf(prefix: string, words: RowWords, slots: LineSlots | undefined): Rows {
  return { prefix, noNewline: `<i class="no-newline">${Bun.escapeHTML(words.noNewline)}</i>`, slots };
}
