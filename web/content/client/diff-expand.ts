import { on } from "../../components/client/dom.ts";
import { fetchInto } from "../../components/client/fetch-into.ts";

/** Expands the lines between hunks: fetches them from above, below or all at once, and inserts them in place. */

const NAMES = ["last_left", "last_right", "left", "right"] as const;

/** The numbers of a gap's row. */
export function gapOf(row: HTMLElement): readonly number[] {
  return (row.dataset["gap"] ?? "").split(",").map(Number);
}

export async function expand(row: HTMLElement, direction: string): Promise<void> {
  const excerpt = row.closest<HTMLElement>("[data-excerpt]")?.dataset["excerpt"];
  if (!excerpt) return;
  const address = new URL(excerpt, location.href);
  for (const [at, name] of NAMES.entries()) address.searchParams.set(name, String(gapOf(row)[at] ?? 0));
  address.searchParams.set("direction", direction);
  const body = row.parentElement;
  await fetchInto(row, address.pathname + address.search);
  body?.querySelector<HTMLElement>(`[data-expand="${direction}"]`)?.focus({ preventScroll: true });
}

export function startExpanding(): void {
  on("click", "[data-expand]", (link, event) => {
    const row = link.closest<HTMLElement>("[data-gap]");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void expand(row, link.dataset["expand"] ?? "");
  });
}
