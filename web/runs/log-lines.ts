import { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";

/** Log rows as HTML (contract actions.md 9.3): workflow commands, groups, ANSI colours, links. */

/** A row of a log. */
export interface LogRow {
  /** From 0. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
}

const MAX_LINE = 20_000;

const kinds: Readonly<Record<string, string>> = {
  error: "log-error",
  warning: "log-warning",
  notice: "log-notice",
  debug: "log-debug",
  command: "log-command",
};

interface Line {
  readonly kind: "text" | "group" | "endgroup" | "hidden";
  readonly class: string;
  readonly text: string;
}

function lineOf(text: string): Line {
  const bracket = /^(?:##)?\[(group|endgroup|error|warning|notice|debug|command)\](.*)$/.exec(text);
  const command = bracket ? undefined : /^::([a-z-]{1,20})(?: [^:]{0,500})?::(.*)$/.exec(text);
  const [, name = "", rest = ""] = bracket ?? command ?? [];
  if (name === "group") return { kind: "group", class: "", text: decoded(rest) };
  if (name === "endgroup") return { kind: "endgroup", class: "", text: "" };
  if (name === "add-matcher" || name === "remove-matcher") return { kind: "hidden", class: "", text: "" };
  const known = kinds[name];
  return known === undefined ? { kind: "text", class: "", text } : { kind: "text", class: known, text: decoded(rest) };
}

const decoded = (text: string) => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");

/** @param from the row that counts as the first of its step */
export function logHtml(rows: readonly LogRow[], from: number): SafeHtml {
  let html = "";
  let depth = 0;
  for (const { at, index, text } of rows) {
    const line = lineOf(text.slice(0, MAX_LINE));
    if (line.kind === "hidden") continue;
    if (line.kind === "endgroup") {
      if (depth > 0) html += "</details>";
      depth = Math.max(0, depth - 1);
      continue;
    }
    const time = new Date(at).toISOString();
    const cells = `<span class="log-number">${index - from + 1}</span><time datetime="${time}">${time.slice(11, 19)}</time><span class="log-text ${line.class}">${coloured(line.text)}</span>`;
    if (line.kind === "group") {
      html += `<details class="log-group"><summary class="log-line">${cells}</summary>`;
      depth++;
    } else html += `<div class="log-line">${cells}</div>`;
  }
  return trustHtml(html + "</details>".repeat(depth));
}

/** Of the sixteen ANSI colours, by number. */
const colourNames = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

interface Look {
  colour: number | undefined;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

const plain: Look = { colour: undefined, bold: false, dim: false, italic: false, underline: false };

/** Handles only SGR sequences; all other escape sequences are dropped. */
function coloured(text: string): string {
  if (!text.includes("\u001b")) return linked(text);
  let look = { ...plain };
  let html = "";
  const pieces = text.split(
    /\u001b(?:\[([0-9;]{0,40})m|\[[0-9;?]{0,40}[A-Za-ln-z]|\][^\u0007\u001b]{0,400}\u0007?|[@-Z\\-_])/,
  );
  pieces.forEach((piece, index) => {
    if (index % 2 === 1) {
      if (piece !== undefined) look = changed(look, piece);
      return;
    }
    if (!piece) return;
    const classes = classesOf(look);
    html += classes === "" ? linked(piece) : `<span class="${classes}">${linked(piece)}</span>`;
  });
  return html;
}

function changed(before: Look, codes: string): Look {
  let look = { ...before };
  const numbers = codes.split(";").map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) look = { ...plain };
    else if (code === 1) look.bold = true;
    else if (code === 2) look.dim = true;
    else if (code === 3) look.italic = true;
    else if (code === 4) look.underline = true;
    else if (code === 22) look = { ...look, bold: false, dim: false };
    else if (code === 23) look.italic = false;
    else if (code === 24) look.underline = false;
    else if (code >= 30 && code <= 37) look.colour = code - 30;
    else if (code >= 90 && code <= 97) look.colour = code - 90;
    else if (code === 39) look.colour = undefined;
    else if (code === 38 || code === 48) {
      const isIndexed = numbers[at + 1] === 5;
      if (code === 38) look.colour = isIndexed ? nearest(numbers[at + 2] ?? 0) : undefined;
      at += isIndexed ? 2 : numbers[at + 1] === 2 ? 4 : 0;
    }
  }
  return look;
}

/** Maps one of 256 colours to one of eight. */
function nearest(index: number): number | undefined {
  if (index < 16) return index % 8;
  if (index >= 232) return index > 243 ? 7 : 0;
  const cube = index - 16;
  const bit = (level: number, value: number) => (level >= 3 ? value : 0);
  return bit(Math.floor(cube / 36), 1) + bit(Math.floor(cube / 6) % 6, 2) + bit(cube % 6, 4);
}

function classesOf({ bold, colour, dim, italic, underline }: Look): string {
  const classes = [
    colour === undefined ? "" : `ansi-${colourNames[colour]}`,
    bold ? "ansi-bold" : "",
    dim ? "ansi-dim" : "",
    italic ? "ansi-italic" : "",
    underline ? "ansi-underline" : "",
  ];
  return classes.filter(Boolean).join(" ");
}

function linked(text: string): string {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"'`]{1,2000}/g)) {
    const url = match[0].replace(/[.,;:!?)\]}]{1,20}$/, "");
    html += Bun.escapeHTML(text.slice(from, match.index));
    const escaped = Bun.escapeHTML(url);
    html += `<a href="${escaped}" rel="nofollow noopener ugc">${escaped}</a>`;
    from = match.index + url.length;
  }
  return html + Bun.escapeHTML(text.slice(from));
}
