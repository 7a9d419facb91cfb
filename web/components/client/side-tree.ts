import { find, on, onArrival } from "./dom.ts";

/** A file list beside a page: hidden or shown, and remembered; on narrow screens shown on request. */

const wide = matchMedia("(min-width: 64rem)");

const listOf = (toggle: HTMLAnchorElement) => document.getElementById(toggle.hash.slice(1));

function tellState(): void {
  for (const toggle of find<HTMLAnchorElement>("[data-tree-toggle]")) {
    const isPutAway = listOf(toggle)?.parentElement?.classList.contains("no-tree") ?? true;
    toggle.setAttribute("aria-expanded", String(wide.matches ? !isPutAway : location.hash === toggle.hash));
  }
}

function putAway(toggle: HTMLAnchorElement): void {
  const isHidden = listOf(toggle)?.parentElement?.classList.toggle("no-tree") ?? false;
  const cookie = `${toggle.dataset["treeToggle"]}=${isHidden ? "hidden" : ""}`;
  // biome-ignore lint/suspicious/noDocumentCookie: the server is to show the next page that way at once
  document.cookie = `${cookie}; path=/; max-age=${isHidden ? 31_536_000 : 0}; samesite=lax`;
}

export function startSideTree(): void {
  on("click", "[data-tree-toggle]", (toggle, event) => {
    if (!(toggle instanceof HTMLAnchorElement)) return;
    if (wide.matches) putAway(toggle);
    else if (location.hash === toggle.hash) location.hash = "#main";
    else return;
    event.preventDefault();
    tellState();
  });
  addEventListener("hashchange", tellState);
  wide.addEventListener("change", tellState);
  onArrival(tellState);
}
