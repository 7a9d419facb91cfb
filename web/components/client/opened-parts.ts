import { find } from "./dom.ts";
import { fetchInto } from "./fetch-into.ts";

/** Parts of `<details>` that are fetched when it is first opened. */
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
  // The focus may have been inside the replaced part.
  if (document.activeElement === document.body && details.open) find(".menu-item", details)[0]?.focus();
}
