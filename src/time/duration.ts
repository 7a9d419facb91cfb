/** Text forms of durations (contract issues.md 15.3, 15.4 and 18.4). */

const HOUR = 3600;
const MINUTE = 60;

/** `1 hour 5 minutes`, `45 minutes`; under a minute `30 seconds`; empty for 0. In English, as in the API. */
export function durationText(seconds: number): string {
  const counted = (count: number, unit: string) => (count === 0 ? [] : [`${count} ${unit}${count === 1 ? "" : "s"}`]);
  if (seconds < MINUTE) return counted(seconds, "second").join("");
  const hours = Math.floor(seconds / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  return [...counted(hours, "hour"), ...counted(minutes, "minute")].join(" ");
}

/** `2h 30m`, the format of estimates; empty for none. */
export function estimateText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / HOUR), "h"],
    [Math.floor((seconds % HOUR) / MINUTE), "m"],
    [seconds % MINUTE, "s"],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count}${unit}`])).join(" ");
}

const amountsOfEstimate = /^(?:(\d{1,6})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?$/i;

/** Seconds of an estimate such as `1h 30m`; empty: 0; undefined if invalid. */
export function parseEstimate(text: string): number | undefined {
  const match = amountsOfEstimate.exec(text.replaceAll(/\s/g, ""));
  if (!match) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  return Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds);
}

const DAY = 8 * HOUR;
const WEEK = 5 * DAY;

const amount = (unit: string) => `(?:(\\d{1,6}(?:[.,]\\d{1,6})?)${unit})?`;
const amountsOfNote = new RegExp(`^${["w", "d", "h", "m"].map(amount).join("")}$`);

/**
 * Seconds of a note in a commit message, without its `@`: `1h30m`, `1,5d`; a day has 8 hours, a week 5 days. Returns
 * undefined if it is invalid, or in another order.
 */
export function parseTimeNote(note: string): number | undefined {
  const match = amountsOfNote.exec(note);
  if (!match) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number((part ?? "0").replace(",", ".")));
  const seconds = Math.round(weeks * WEEK + days * DAY + hours * HOUR + minutes * MINUTE);
  return seconds > 0 ? seconds : undefined;
}
