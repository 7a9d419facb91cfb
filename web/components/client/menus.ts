import { find, on } from "./dom.ts";

/** Menus are `<details>`: this closes them, and moves through their items with the arrow keys. */

export function openMenu(): HTMLDetailsElement | undefined {
  return find<HTMLDetailsElement>("details[data-menu][open]").at(-1);
}

/** Closes the open menu and focuses its button; false when none is open. */
export function closeMenu(): boolean {
  const menu = openMenu();
  if (!menu) return false;
  menu.open = false;
  menu.querySelector("summary")?.focus();
  return true;
}

const STEPS: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at, length) => (at + 1) % length,
  ArrowUp: (at, length) => (at <= 0 ? length : at) - 1,
  Home: () => 0,
  End: (_, length) => length - 1,
};

export function startMenus(): void {
  document.addEventListener("click", ({ target }) => {
    for (const menu of find<HTMLDetailsElement>("details[data-menu][open]"))
      if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  on("keydown", "details[data-menu][open]", (menu, event) => {
    const step = STEPS[event.key];
    const inField = event.target instanceof HTMLInputElement;
    if (!step || (inField && (event.key === "Home" || event.key === "End"))) return;
    const items = find<HTMLElement>(".menu-item, input", menu).filter((item) => item.checkVisibility());
    const at = items.findIndex((item) => item.matches(":focus"));
    if (items.length > 0) items[step(at, items.length)]?.focus();
    event.preventDefault();
  });
  // Initial focus of an opened menu.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.matches("[data-menu]") && target.open)
        target.querySelector<HTMLInputElement>("input:not([type=hidden])")?.focus();
    },
    true,
  );
}
