import { durationOf, durationText } from "../kernel/duration.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** No wait is doubled more often. */
const MAX_DOUBLINGS = 8;

/** How often mirrors are brought up to date, as the site allows it. */
export class MirrorIntervals {
  readonly minMs: number;
  readonly defaultMs: number;

  constructor(settings: { readonly minMinutes: number; readonly defaultMinutes: number }) {
    this.minMs = settings.minMinutes * MINUTE_MS;
    this.defaultMs = Math.max(this.minMs, settings.defaultMinutes * MINUTE_MS);
  }

  /**
   * Reads one as someone writes it: `8h`, `90m`, `0` for never.
   * @returns milliseconds; `unreadable`, or `too-short`
   */
  read(text: string): number | "unreadable" | "too-short" {
    const ms = durationOf(text);
    if (ms === undefined) return "unreadable";
    return ms !== 0 && ms < this.minMs ? "too-short" : ms;
  }

  /** The shortest one, for messages. */
  get minText(): string {
    return durationText(this.minMs);
  }
}

/**
 * SQL for what is due at `$now`, with the table's index on `next_at`. A time that is twice as far as any that is planned was
 * planned by a clock that has been put back since.
 */
export const isDue = `next_at <= $now OR (next_at > $now + ${2 * DAY_MS} AND next_at > $now + 2 * interval_ms)`;

/** When what failed so often is tried again: each time twice as late, but within a day, or within its interval. */
export function retryAfterMs(intervalMs: number, failures: number): number {
  const doubled = intervalMs * 2 ** Math.min(failures, MAX_DOUBLINGS);
  return Math.min(doubled, Math.max(DAY_MS, intervalMs));
}
