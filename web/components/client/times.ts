import { find, onArrival } from "./dom.ts";

/** Relative times ("3 hours ago"), refreshed every minute while the page is visible. */
const relative = new Intl.RelativeTimeFormat(document.documentElement.lang || "en", { numeric: "auto" });
const STEPS: readonly (readonly [belowSeconds: number, unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  [60, "second", 1],
  [3600, "minute", 60],
  [86400, "hour", 3600],
  [86400 * 30, "day", 86400],
  [86400 * 365, "month", 86400 * 30],
  [Number.POSITIVE_INFINITY, "year", 86400 * 365],
];

function words(at: Date): string {
  const seconds = (at.getTime() - Date.now()) / 1000;
  const distance = Math.abs(seconds);
  const [, unit, size] = STEPS.find(([below]) => distance < below) ?? STEPS[5]!;
  // Zero would be "now", which fits into no sentence: "ada opened this now".
  return relative.format(Math.round(seconds / size) || -1, unit);
}

function showTimes(): void {
  if (document.hidden) return;
  for (const time of find<HTMLTimeElement>("time[data-rel]")) {
    const at = new Date(time.dateTime);
    const around = time.dataset["rel"];
    const text = around ? around.replace("{time}", words(at)) : words(at);
    if (time.textContent !== text) time.textContent = text;
    if (time.dataset["local"]) continue;
    time.dataset["local"] = "1";
    time.title = at.toLocaleString(document.documentElement.lang || undefined, {
      dateStyle: "full",
      timeStyle: "long",
    });
  }
}

export function startTimes(): void {
  setInterval(showTimes, 60_000);
  document.addEventListener("visibilitychange", showTimes);
  onArrival(showTimes);
}
