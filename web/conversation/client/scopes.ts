import { find, on } from "../../components/client/dom.ts";

/** Labels of an exclusive scope: checking one unchecks the others, as the server will. */
export function startScopes(): void {
  on("change", "input[data-scope]", (box) => {
    if (!(box instanceof HTMLInputElement) || !box.checked || !box.form) return;
    for (const other of find<HTMLInputElement>("input[data-scope]:checked", box.form))
      if (other !== box && other.dataset["scope"] === box.dataset["scope"]) other.checked = false;
  });
}
