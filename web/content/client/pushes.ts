import { say, word } from "../../components/client/dom.ts";

/** Handles a repository's event stream: progress of a push, and updated refs. */

function regionOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[data-push-region]") : null;
}

/** The data of a stream event as text. */
function dataOf(event: Event): string {
  const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
  const data = typeof detail === "object" && detail !== null && "data" in detail ? detail.data : "";
  return typeof data === "string" ? data.trim() : "";
}

export function startPushes(): void {
  document.addEventListener("push.progress", (event) => {
    const line = regionOf(event)?.querySelector<HTMLElement>("[data-push-text]");
    if (!line) return;
    line.textContent = word("pushing", { progress: dataOf(event) });
    line.hidden = false;
  });
  document.addEventListener("refs.changed", (event) => {
    const region = regionOf(event);
    if (!region) return;
    if (region.dataset["pushRegion"] === "reload") {
      location.reload();
      return;
    }
    const [line, done] = ["[data-push-text]", "[data-push-done]"].map((part) =>
      region.querySelector<HTMLElement>(part),
    );
    if (line) line.hidden = true;
    if (done) done.hidden = false;
    say(word("arrived"));
  });
}
