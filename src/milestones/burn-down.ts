/** How many items a milestone had left, day by day. */

export interface BurnDownPoint {
  /** The start of the day, in milliseconds. */
  readonly day: number;
  /** Items that were there and still open at its end. */
  readonly left: number;
}

export interface BurnDown {
  readonly points: readonly BurnDownPoint[];
  /** The day it is due, for the line from all to none; undefined without one. */
  readonly dueDay: number | undefined;
}

/** Items that came or were done on a day. */
export interface DayChange {
  readonly day: number;
  readonly added: number;
  readonly closed: number;
}

export const DAY_MS = 86_400_000;
/** Points of a picture: more days than these are shown in steps. */
const MAX_POINTS = 120;

/** @param changes by day, in order @param until the last day to show */
export function burnDownOf(changes: readonly DayChange[], dueAt: number | undefined, until: number): BurnDown {
  const dueDay = dueAt === undefined ? undefined : dayStart(dueAt);
  const first = changes[0]?.day;
  if (first === undefined) return { points: [], dueDay };
  const last = Math.max(dayStart(until), first);
  const step = Math.ceil(((last - first) / DAY_MS + 1) / MAX_POINTS) * DAY_MS;
  const points: BurnDownPoint[] = [];
  let left = 0;
  let at = 0;
  for (let day = first; day <= last; day += step) {
    for (let change = changes[at]; change && change.day < day + step; change = changes[++at])
      left += change.added - change.closed;
    points.push({ day, left });
  }
  return { points, dueDay };
}

const dayStart = (at: number) => Math.floor(at / DAY_MS) * DAY_MS;
