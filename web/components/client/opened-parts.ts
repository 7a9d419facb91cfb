import { find } from "./dom.ts";
import { fetchInto } from "./fetch-into.ts";

/** Parts of `<details>` that are fetched when that is opened for the first time. */
export function startOpenedParts(): void {
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      for (const link of find<HTMLAnchorElement>("a[data-opened-part]", target)) void replace(link, target);
    },
    true,
  );
}

async function replace(link: HTMLAnchorElement, details: HTMLDetailsElement): Promise<void> {
  delete link.dataset["openedPart"];
  await fetchInto(link, link.pathname + link.search);
  // The keyboard may have been there before what it is replaced by.
  if (document.activeElement === document.body && details.open) find(".menu-item", details)[0]?.focus();
}
