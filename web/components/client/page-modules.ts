import { find, onArrival } from "./dom.ts";

/** Loads the modules that particular pages need, from the URLs in their elements. */
export function startPageModules(): void {
  onArrival(() => {
    for (const { dataset } of find("[data-module]")) void import(dataset["module"] ?? "");
  });
}
