import { find, insertText, on } from "../../components/client/dom.ts";
import { DRAFT, keep, readDraft } from "../client/edit-drafts.ts";

/**
 * Adds what a text field lacks for writing code: line numbers, highlighting, Tab, and drafts, so that nothing typed is
 * lost. The page works without any of it.
 */

const MAX_COLOURED = 100_000;
const PAUSE_MS = 400;

/** One step of indentation: the page's setting, or else what the text uses. */
function stepOf(text: string, said: string | undefined): string {
  if (said) return said;
  const first = /^(\t| {2,8})\S/m.exec(text)?.[1];
  return first ?? "  ";
}

/** Indents or outdents the selected lines by one step. */
function shift(field: HTMLTextAreaElement, step: string, out: boolean): void {
  const { value, selectionStart, selectionEnd } = field;
  const from = value.lastIndexOf("\n", selectionStart - 1) + 1;
  const lines = value.slice(from, selectionEnd).split("\n");
  const lead = new RegExp(`^(?:\\t| {1,${step === "\t" ? 8 : step.length}})`);
  const shifted = lines.map((line) => (out ? line.replace(lead, "") : line === "" ? line : step + line)).join("\n");
  field.setSelectionRange(from, selectionEnd);
  insertText(field, shifted);
  if (lines.length > 1) field.setSelectionRange(from, from + shifted.length);
}

function startEditor(editor: HTMLElement): void {
  const field = editor.querySelector("textarea");
  const lines = editor.querySelector<HTMLElement>(".editor-lines");
  const colours = editor.querySelector<HTMLElement>(".editor-colours");
  const { form } = field ?? {};
  if (!field || !lines || !colours || !form) return;
  const key = DRAFT + (editor.dataset["editor"] ?? "");
  const commit = editor.dataset["commit"] ?? "";
  const opened = field.value;
  let isSending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const scroll = () => {
    lines.scrollTop = colours.scrollTop = field.scrollTop;
    colours.scrollLeft = field.scrollLeft;
  };
  const number = () => {
    const count = field.value.split("\n").length;
    if (lines.childElementCount !== count)
      lines.replaceChildren(...Array.from({ length: count }, () => document.createElement("span")));
  };
  const colour = () => {
    if (field.value.length <= MAX_COLOURED) colours.dispatchEvent(new CustomEvent("colours"));
  };
  const changed = () => {
    number();
    delete editor.dataset["coloured"];
    clearTimeout(timer);
    timer = setTimeout(() => {
      colour();
      keep(key, field.value === opened ? undefined : { content: field.value, commit });
    }, PAUSE_MS);
  };

  editor.dataset["ready"] = "";
  number();
  field.addEventListener("input", changed);
  field.addEventListener("scroll", scroll);
  // Highlighting is valid only for the text it was made for; the first may arrive before this script runs.
  const coloured = () => {
    if (colours.textContent !== field.value.replace(/\n$/, "")) return;
    editor.dataset["coloured"] = "";
    scroll();
  };
  coloured();
  document.addEventListener("htmx:after:swap", coloured);

  let leaves = false;
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    if (event.key === "Tab" && !leaves && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      const step = stepOf(field.value, editor.dataset["indent"]);
      const isOne = !field.value.slice(field.selectionStart, field.selectionEnd).includes("\n");
      if (event.shiftKey || !isOne) shift(field, step, event.shiftKey);
      else insertText(field, step);
    }
    leaves = event.key === "Escape" || (leaves && event.key === "Shift");
  });

  on("click", "[data-editor-view]", (button) => {
    editor.dataset["view"] = button.dataset["editorView"] ?? "text";
    if (editor.dataset["view"] === "text") field.focus();
  });
  form.addEventListener("submit", ({ submitter }) => {
    if (submitter?.matches("[data-editor-view]")) return;
    isSending = true;
    // A pending save would store the draft again after it was discarded.
    clearTimeout(timer);
    keep(key, { content: field.value, commit, sent: true });
  });
  addEventListener("beforeunload", (event) => {
    if (!isSending && field.value !== opened) event.preventDefault();
  });

  const notice = editor.querySelector<HTMLElement>("[data-draft]");
  const draft = readDraft(key);
  if (!notice || !draft || draft.content === field.value) return;
  notice.hidden = false;
  on("click", "[data-draft-restore]", () => {
    notice.hidden = true;
    field.focus();
    field.select();
    insertText(field, draft.content);
  });
  on("click", "[data-draft-discard]", () => {
    notice.hidden = true;
    keep(key, undefined);
  });
}

for (const editor of find("[data-editor]")) startEditor(editor);
