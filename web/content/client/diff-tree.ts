import { find, on, onArrival } from "../../components/client/dom.ts";

/** The tree of files beside a diff: put away and remembered, filtered, the file in view marked. */

const COOKIE = "hearth_diff_tree";
const wide = matchMedia("(min-width: 64rem)");

const diffs = () => document.getElementById("diffs");
const toggles = () => find("[data-tree-toggle]");

function tellState(): void {
  const isShown = wide.matches ? !diffs()?.classList.contains("no-tree") : location.hash === "#diff-tree";
  for (const toggle of toggles()) toggle.setAttribute("aria-expanded", String(isShown));
}

function toggleBeside(): void {
  const isHidden = diffs()?.classList.toggle("no-tree") ?? false;
  // biome-ignore lint/suspicious/noDocumentCookie: the server is to show the page that way at once
  document.cookie = `${COOKIE}=${isHidden ? "hidden" : ""}; path=/; max-age=${isHidden ? 31_536_000 : 0}; samesite=lax`;
}

function filter(field: HTMLInputElement): void {
  const tree = field.closest(".diff-tree");
  if (!tree) return;
  const wanted = field.value.trim().toLowerCase();
  for (const item of find("li", tree).reverse()) {
    const link = item.querySelector<HTMLAnchorElement>(":scope > a");
    item.hidden = link ? !link.title.toLowerCase().includes(wanted) : find("li", item).every((below) => below.hidden);
  }
}

function markCurrent(id: string): void {
  for (const link of find<HTMLAnchorElement>(".diff-tree a"))
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
}

export function startTree(): void {
  on("click", "[data-tree-toggle]", (_, event) => {
    if (wide.matches || location.hash === "#diff-tree") event.preventDefault();
    if (wide.matches) toggleBeside();
    else if (location.hash === "#diff-tree") location.hash = "#diffs";
    tellState();
  });
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches("[data-filter-files]")) filter(target);
  });
  addEventListener("hashchange", tellState);
  const inView = new IntersectionObserver(
    (entries) => {
      const [first] = entries.filter((entry) => entry.isIntersecting);
      if (first) markCurrent(first.target.id);
    },
    { rootMargin: "0px 0px -85% 0px" },
  );
  onArrival(() => {
    tellState();
    for (const file of find(".diff-file")) inView.observe(file);
  });
}
