/** CSV and TSV as a table (web.md section 4.9): at most 512 KiB and 2,500 rows, otherwise the source is shown. */
import { type SafeHtml, trustHtml } from "./safe-html.ts";

const LARGEST = 512 * 1024;
const MAX_ROWS = 2500;
const MAX_CELLS = 50_000;

/** Rows and cells according to RFC 4180: quotes are doubled inside quotes, quoted cells may contain newlines. */
export function parseCsv(text: string, separator: "," | ";" | "\t"): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  let started = false;
  const endCell = () => {
    row.push(cell);
    cell = "";
    started = false;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (character === '"' && !started) {
      quoted = true;
      started = true;
    } else if (character === separator) endCell();
    else if (character === "\n") {
      endCell();
      rows.push(row);
      row = [];
    } else if (character !== "\r" || text[at + 1] !== "\n") {
      cell += character;
      started = true;
    }
  }
  if (cell !== "" || row.length > 0) {
    endCell();
    rows.push(row);
  }
  return rows;
}

/** The table, or `undefined` if the file is too large for one. Tries a semicolon if there is no comma in the header. */
export function csvTable(source: string, fileName: string): SafeHtml | undefined {
  if (source.length > LARGEST) return undefined;
  const text = source.startsWith("\ufeff") ? source.slice(1) : source;
  const head = text.slice(0, text.indexOf("\n") + 1 || text.length);
  const separator = /\.tsv$/i.test(fileName) ? "\t" : !head.includes(",") && head.includes(";") ? ";" : ",";
  const rows = parseCsv(text, separator);
  if (rows.length > MAX_ROWS || rows.reduce((sum, row) => sum + row.length, 0) > MAX_CELLS) return undefined;
  const [first, ...rest] = rows;
  if (!first) return undefined;
  const cells = (row: string[], tag: "th" | "td") => {
    const scope = tag === "th" ? ' scope="col"' : "";
    return row.map((cell) => `<${tag}${scope}>${Bun.escapeHTML(cell)}</${tag}>`).join("");
  };
  const body = rest.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
  return trustHtml(`<table class="table"><thead><tr>${cells(first, "th")}</tr></thead><tbody>${body}</tbody></table>`);
}
