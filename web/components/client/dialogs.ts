import { around, find, on } from "./dom.ts";

/** Real modal dialogs: the browser keeps Tab inside, closes on Escape and gives the focus back. */

function open(dialog: HTMLDialogElement, opener?: HTMLElement): void {
  // A row menu closes first: the focus returns to what opened it, not into the closed menu.
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
  // A press on the backdrop arrives at the dialog itself, outside of its box.
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
  // A link that is drawn as a button is pressed as one.
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
