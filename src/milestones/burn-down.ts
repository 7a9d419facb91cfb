/** How many items a milestone had left, day by day. */

export interface BurnDownPoint {
  /** The start of the day, in milliseconds. */
  readonly day: number;
  /** Items that existed and were still open at its end. */
  readonly left: number;
}

export interface BurnDown {
  readonly points: readonly BurnDownPoint[];
  /** The due date's day, for the ideal line; undefined if there is none. */
  readonly dueDay: number | undefined;
}

/** Items added and closed on a day. */
export interface DayChange {
  readonly day: number;
  readonly added: number;
  readonly closed: number;
}

export const DAY_MS = 86_400_000;
/** Max points in the chart: longer periods are shown in steps of several days. */
const MAX_POINTS = 120;

/**
 * @param changes by day, in order
 * @param until the last day to show
 */
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
