import { ADD_KEY, addKey, type Key } from "./add-key.ts";
import { find, isTyping, make, say, textOf, word } from "./dom.ts";
import { closeMenu } from "./menus.ts";

/**
 * Keyboard shortcuts: every element with `data-hotkey` has a key, modules add more, and "?" lists those of this page.
 * Single keys are ignored while a field has the focus or a dialog is open.
 */
const added: Key[] = [];

const nameOf = (element: HTMLElement) =>
  element.dataset["hotkeyName"] || element.getAttribute("aria-label") || element.title || textOf(element);

/** Keys of the page's content come before those of its frame. */
function elements(): HTMLElement[] {
  const all = [...find("main [data-hotkey]"), ...find(":not(main) [data-hotkey]")];
  return [...new Set(all)].filter((element) => element.checkVisibility());
}

const keysOf = (element: HTMLElement) => (element.dataset["hotkey"] ?? "").split(",");

function use(element: HTMLElement): void {
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else element.click();
}

function press(pressed: string): boolean {
  const element = elements().find((other) => keysOf(other).includes(pressed));
  if (element) {
    use(element);
    return true;
  }
  const key = added.find((other) => other.key === pressed && other.isUseful());
  key?.press();
  return key !== undefined;
}

function row(keys: string, name: string): HTMLElement {
  const marks = keys.split(/[ +]/).map((key) => make("kbd", { textContent: key }));
  return make("div", {}, make("dt", {}, ...marks), make("dd", { textContent: name }));
}

function help(): HTMLDialogElement {
  const rows = [
    ...elements().map((element) => row(keysOf(element)[0] ?? "", nameOf(element))),
    ...added.filter((key) => key.isUseful()).map((key) => row(key.key, word(key.name))),
  ];
  const close = make("button", { type: "button", className: "btn btn-icon btn-quiet i-x" });
  close.setAttribute("aria-label", word("close"));
  close.dataset["close"] = "";
  const title = make("h2", { textContent: word("shortcuts"), id: "shortcuts-title" });
  const dialog = make(
    "dialog",
    { className: "dialog", id: "shortcuts" },
    make("header", { className: "dialog-head" }, title, close),
    make("dl", { className: "dialog-body shortcuts" }, ...rows),
  );
  dialog.setAttribute("aria-labelledby", "shortcuts-title");
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

/** Moves the focus through the rows of the page's list. */
function step(by: 1 | -1): void {
  const rows = find(".list > li:not(.day), .table tbody tr, .files tbody tr");
  const at = rows.findIndex((each) => each.contains(document.activeElement));
  const next = rows[at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by];
  const link = next?.querySelector<HTMLElement>("a[href]");
  link?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
const hasRows = () => document.querySelector(".list > li a[href], .table tbody a[href], .files tbody a[href]") !== null;

export function startKeys(): void {
  document.addEventListener(ADD_KEY, (event) => {
    if (event instanceof CustomEvent) added.push(event.detail);
  });
  let pending = "";
  let forget: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.key === "Escape") {
      // An open dialog closes by itself.
      if (document.querySelector("dialog[open]") || closeMenu()) return;
      if (isTyping(event) && event.target instanceof HTMLElement) event.target.blur();
      return;
    }
    const modified = event.ctrlKey || event.metaKey;
    if (modified && event.key === "Enter") {
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement)
        event.target.form?.requestSubmit();
      return;
    }
    if (document.querySelector("dialog[open]") || event.altKey) return;
    if (modified) {
      if (event.key.toLowerCase() === "k" && press("Ctrl+K")) event.preventDefault();
      return;
    }
    if (isTyping(event)) return;
    const pressed = pending ? `${pending} ${event.key}` : event.key;
    clearTimeout(forget);
    pending = "";
    if (press(pressed)) event.preventDefault();
    else if (event.key === "g") {
      pending = "g";
      forget = setTimeout(() => {
        pending = "";
      }, 1500);
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element) || !target.closest("[data-shortcuts]")) return;
    const dialog = help();
    document.body.append(dialog);
    dialog.showModal();
    say(word("shortcuts"));
  });
  addKey({ key: "j", name: "nextRow", isUseful: hasRows, press: () => step(1) });
  addKey({ key: "k", name: "previousRow", isUseful: hasRows, press: () => step(-1) });
}
