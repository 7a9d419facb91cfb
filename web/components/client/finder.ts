import { on } from "./dom.ts";

/** "Go to file" and the palette: a module that is loaded when one of them is first opened. */
export function startFinder(): void {
  on("click", "[data-finder]", (opener, event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    void import(opener.dataset["finder"] ?? "").then((finder: { open(opener: HTMLElement): void }) =>
      finder.open(opener),
    );
  });
}
