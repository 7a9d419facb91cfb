import { around, find, on } from "./dom.ts";

/** Native modal dialogs: the browser traps Tab, closes on Escape and restores the focus. */

function open(dialog: HTMLDialogElement, opener?: HTMLElement): void {
  // Close the row menu first, so that focus returns to its button and not into the closed menu.
  const menu = opener?.closest<HTMLDetailsElement>("details[data-menu]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
  if (!dialog.open) dialog.showModal();
  const first =
    dialog.querySelector<HTMLElement>("[data-focus-first], input:not([type=hidden]), select, textarea") ??
    dialog.querySelector<HTMLElement>(".form-actions [data-close]");
  first?.focus();
  if (first instanceof HTMLInputElement) first.select();
}

function dialogOf(hash: string): HTMLDialogElement | undefined {
  const element = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  return element instanceof HTMLDialogElement ? element : undefined;
}

export function startDialogs(): void {
  on("click", "[data-dialog]", (opener, event) => {
    const dialog = dialogOf(opener.getAttribute("href") ?? "");
    if (!dialog) return;
    event.preventDefault();
    open(dialog, opener);
  });
  on("click", "dialog [data-close]", (button, event) => {
    event.preventDefault();
    button.closest("dialog")?.close();
  });
  // A press on the backdrop targets the dialog itself, outside its box.
  on("mousedown", "dialog", (element, event) => {
    if (event.target !== element || !(element instanceof HTMLDialogElement)) return;
    const box = element.getBoundingClientRect();
    const inside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!inside) element.close();
  });
  document.addEventListener(
    "close",
    (event) => {
      if (event.target instanceof HTMLDialogElement && location.hash === `#${event.target.id}`)
        history.replaceState(history.state, "", location.pathname + location.search);
    },
    true,
  );
  // A link styled as a button must also react to the Space key.
  document.addEventListener("keydown", (event) => {
    const button = event.key === " " ? around(event, "a[role=button]") : null;
    if (!button) return;
    event.preventDefault();
    button.click();
  });
  const openAsked = () => {
    const asked = find<HTMLDialogElement>("dialog[data-open]")[0] ?? dialogOf(location.hash);
    if (asked) open(asked);
  };
  addEventListener("hashchange", openAsked);
  openAsked();
}
