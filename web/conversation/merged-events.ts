import type { EntryView, EventView } from "./entries.ts";

/** Label changes by one person within this time are merged into one line (contract web.md 2.10). */
const TOGETHER_MS = 60_000;

/** The entries, with consecutive label changes merged. */
export function mergedEvents(views: readonly EntryView[]): EntryView[] {
  const merged: EntryView[] = [];
  for (const view of views) {
    const last = merged.at(-1);
    if (last?.kind === "event" && view.kind === "event" && goTogether(last, view))
      merged[merged.length - 1] = {
        ...last,
        isNew: last.isNew || view.isNew,
        labels: [...last.labels, ...view.labels],
      };
    else merged.push(view);
  }
  return merged;
}

const goTogether = (one: EventView, other: EventView) =>
  one.what === "label" &&
  other.what === "label" &&
  one.entry.userId === other.entry.userId &&
  Number(other.at) - Number(one.at) <= TOGETHER_MS;
