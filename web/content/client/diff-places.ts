import { find } from "../../components/client/dom.ts";

/**
 * Keeps the line at the top of the window in place when the diff is switched between unified and split, or whitespace
 * is ignored.
 */

interface Place {
  readonly id: string;
  readonly top: number;
}

/** The first line in view that has a number. */
function firstInView(): Place | undefined {
  for (const number of find("#diffs .no[id]")) {
    const { top } = number.getBoundingClientRect();
    if (top >= 0) return top < innerHeight ? { id: number.id, top } : undefined;
  }
  return undefined;
}

export function startPlaces(): void {
  let place: Place | undefined;
  const isDiff = (event: Event) => event.target instanceof Element && event.target.closest(".diff-bar") !== null;
  document.addEventListener("htmx:before:swap", (event) => {
    place = isDiff(event) ? firstInView() : undefined;
  });
  document.addEventListener("htmx:after:swap", () => {
    const line = place && document.getElementById(place.id);
    if (line && place) scrollBy(0, line.getBoundingClientRect().top - place.top);
    place = undefined;
  });
}
