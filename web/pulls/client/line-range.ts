import { find, on } from "../../components/client/dom.ts";

/** The lines a new comment is about: highlighted in the diff, and read from it. */

function rowsOf(start: HTMLInputElement): { rows: HTMLElement[]; side: "L" | "R" } {
  const form = start.closest<HTMLFormElement>("form");
  const box = start.closest(".diff-box");
  if (!form || !box) return { rows: [], side: "R" };
  const fields = new FormData(form);
  const side = fields.get("side") === "previous" ? "L" : "R";
  const last = Number(fields.get("line"));
  const first = Number(start.value) || last;
  const rows = find<HTMLButtonElement>(".line-add", box).filter(({ value }) => {
    const number = Number(value.slice(1));
    return value.startsWith(side) && number >= first && number <= last;
  });
  return { rows: rows.flatMap((button) => button.closest<HTMLElement>("td") ?? []), side };
}

/** @param start the field with the first line; undefined: clears the highlight */
export function markRange(start: HTMLInputElement | undefined): void {
  for (const cell of find("td.is-chosen")) cell.classList.remove("is-chosen");
  if (start) for (const cell of rowsOf(start).rows) cell.classList.add("is-chosen");
}

/** The text of those lines. */
export function chosenText(form: HTMLFormElement): string {
  const start = form.querySelector<HTMLInputElement>("[name=start_line]");
  if (!start) return "";
  return rowsOf(start)
    .rows.map((cell) => {
      const copy = cell.cloneNode(true) as HTMLElement;
      for (const extra of find(".line-add, .no-newline", copy)) extra.remove();
      return copy.textContent ?? "";
    })
    .join("\n");
}

export function startRanges(): void {
  on("input", ".line-form [name=start_line]", (field) => {
    if (field instanceof HTMLInputElement) markRange(field);
  });
}
