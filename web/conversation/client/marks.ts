import { insertText, on } from "../../components/client/dom.ts";

/** Markdown formatting of the selection, from a text box's toolbar or by keys; continues lists on the next line. */

/** Markers around a text. */
const AROUND: Readonly<Record<string, string>> = { bold: "**", italic: "_", code: "`" };
/** Markers before each line. */
const BEFORE: Readonly<Record<string, (line: number) => string>> = {
  heading: () => "### ",
  quote: () => "> ",
  list: () => "- ",
  numbers: (line) => `${line + 1}. `,
  tasks: () => "- [ ] ",
};
/** Matches the beginning of a line that already has the marker. */
const BEGUN: Readonly<Record<string, RegExp>> = {
  heading: /^#{1,6} /,
  quote: /^> ?/,
  list: /^[-*+] (?!\[[ x]\] )/,
  numbers: /^\d+\. /,
  tasks: /^[-*+] \[[ x]\] /,
};
const KEYS: Readonly<Record<string, string>> = { b: "bold", i: "italic", e: "code", k: "link" };
const ADDRESS = /^https?:\/\/\S+$/;
/** A line of a list or a quotation: indentation, marker, checkbox, text. */
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]|>)( +\[[ xX]\])?( +)(.*)$/;

/** Replaces a range, and selects `from` to `to` in the new text. */
function replace(field: HTMLTextAreaElement, start: number, end: number, text: string, from: number, to: number): void {
  field.focus();
  field.setSelectionRange(start, end);
  insertText(field, text);
  field.setSelectionRange(start + from, start + to);
}

function surround(field: HTMLTextAreaElement, mark: string): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const text = value.slice(start, end);
  const size = mark.length;
  if (value.slice(start - size, start) === mark && value.slice(end, end + size) === mark)
    replace(field, start - size, end + size, text, 0, text.length);
  else if (text.length > 2 * size && text.startsWith(mark) && text.endsWith(mark))
    replace(field, start, end, text.slice(size, -size), 0, text.length - 2 * size);
  else replace(field, start, end, mark + text + mark, size, size + text.length);
}

function fence(field: HTMLTextAreaElement): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const text = value.slice(start, end).replace(/\n$/, "");
  const before = start === 0 || value[start - 1] === "\n" ? "```\n" : "\n```\n";
  replace(field, start, end, `${before}${text}\n\`\`\`\n`, before.length, before.length + text.length);
}

function writeLink(field: HTMLTextAreaElement): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const text = value.slice(start, end);
  if (ADDRESS.test(text)) replace(field, start, end, `[](${text})`, 1, 1);
  else replace(field, start, end, `[${text}](url)`, text.length + 3, text.length + 6);
}

/** Adds the marker to every line of the selection, or removes it if each line has it. */
function begin(field: HTMLTextAreaElement, mark: string): void {
  const { selectionStart, selectionEnd, value } = field;
  const [begun, before] = [BEGUN[mark], BEFORE[mark]];
  if (!begun || !before) return;
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const next = value.indexOf("\n", Math.max(start, selectionEnd - 1));
  const end = next < 0 ? value.length : Math.max(next, start);
  const lines = value.slice(start, end).split("\n");
  const has = lines.every((line) => begun.test(line));
  const written = lines.map((line, place) => (has ? line.replace(begun, "") : before(place) + line.replace(begun, "")));
  const text = written.join("\n");
  const from = lines.length > 1 ? 0 : text.length;
  replace(field, start, end, text, from, text.length);
}

function write(field: HTMLTextAreaElement, mark: string): void {
  const around = AROUND[mark];
  if (mark === "link") writeLink(field);
  else if (mark === "code" && field.value.slice(field.selectionStart, field.selectionEnd).includes("\n")) fence(field);
  else if (around) surround(field, around);
  else begin(field, mark);
}

/** Continues a list on the next line; an item without text ends it. @returns whether it did either */
function goOn(field: HTMLTextAreaElement): boolean {
  const { selectionStart: at, selectionEnd, value } = field;
  if (at !== selectionEnd) return false;
  const start = value.lastIndexOf("\n", at - 1) + 1;
  const [, indent = "", sign = "", box = "", gap = " ", text] = ITEM.exec(value.slice(start, at)) ?? [];
  if (text === undefined) return false;
  const number = Number.parseInt(sign, 10);
  const next = Number.isNaN(number) ? sign : `${number + 1}${sign.at(-1)}`;
  if (text === "") replace(field, start, at, "", 0, 0);
  else insertText(field, `\n${indent}${next}${box && " [ ]"}${gap}`);
  return true;
}

const fieldOf = (element: Element | null) =>
  element?.closest("[data-text-box]")?.querySelector<HTMLTextAreaElement>("textarea") ?? undefined;

/** The arrow keys move within the toolbar, which is a single tab stop. */
function walk(button: HTMLElement, key: string): boolean {
  const bar = [...(button.parentElement?.querySelectorAll<HTMLElement>("[data-mark]") ?? [])];
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
  const step = steps[key];
  const next = step && bar.at((bar.indexOf(button) + step) % bar.length);
  if (!next) return false;
  for (const each of bar) each.tabIndex = each === next ? 0 : -1;
  next.focus();
  return true;
}

export function startMarks(): void {
  on("click", "[data-mark]", (button) => {
    const field = fieldOf(button);
    if (field && !field.hidden) write(field, button.dataset["mark"] ?? "");
  });
  on("keydown", "[data-mark]", (button, event) => {
    if (walk(button, event.key)) event.preventDefault();
  });
  // Before the page's shortcuts, which include Ctrl+K.
  document.addEventListener(
    "keydown",
    (event) => {
      const field = event.target;
      if (!(field instanceof HTMLTextAreaElement) || !fieldOf(field)) return;
      if (event.defaultPrevented || event.isComposing || event.altKey || event.shiftKey) return;
      const mark = event.ctrlKey || event.metaKey ? KEYS[event.key.toLowerCase()] : undefined;
      if (mark) write(field, mark);
      else if (event.key !== "Enter" || event.ctrlKey || event.metaKey || !goOn(field)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  on("paste", "[data-text-box] textarea", (field, event) => {
    if (!(field instanceof HTMLTextAreaElement) || event.defaultPrevented) return;
    const { selectionStart: start, selectionEnd: end, value } = field;
    const address = event.clipboardData?.getData("text/plain").trim() ?? "";
    const text = value.slice(start, end);
    if (text === "" || text.includes("\n") || ADDRESS.test(text) || !ADDRESS.test(address)) return;
    event.preventDefault();
    const link = `[${text}](${address})`;
    replace(field, start, end, link, link.length, link.length);
  });
}
