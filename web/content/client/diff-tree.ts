import { find, on, onArrival } from "../../components/client/dom.ts";

/** The file tree of a diff: filters it, and marks the file in view. */

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
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches("[data-filter-files]")) filter(target);
  });
  // A file that has been loaded in the meantime needs no other page.
  on("click", ".diff-tree a[href*='skip-to=']", (link, event) => {
    const file = link instanceof HTMLAnchorElement ? document.getElementById(link.hash.slice(1)) : null;
    if (!file || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    file.scrollIntoView();
  });
  const inView = new IntersectionObserver(
    (entries) => {
      const [first] = entries.filter((entry) => entry.isIntersecting);
      if (first) markCurrent(first.target.id);
    },
    { rootMargin: "0px 0px -85% 0px" },
  );
  onArrival(() => {
    for (const file of find(".diff-file")) inView.observe(file);
  });
}
