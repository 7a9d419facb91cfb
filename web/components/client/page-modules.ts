import { find, onArrival } from "./dom.ts";

/** Loads what single kinds of pages need, by the addresses their elements name. */
export function startPageModules(): void {
  onArrival(() => {
    for (const { dataset } of find("[data-module]")) void import(dataset["module"] ?? "");
  });
}
