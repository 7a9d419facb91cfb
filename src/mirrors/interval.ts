import { durationOf, durationText } from "../kernel/duration.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Caps the exponential backoff. */
const MAX_DOUBLINGS = 8;

/** The intervals of mirrors, within the site's limits. */
export class MirrorIntervals {
  readonly minMs: number;
  readonly defaultMs: number;

  constructor(settings: { readonly minMinutes: number; readonly defaultMinutes: number }) {
    this.minMs = settings.minMinutes * MINUTE_MS;
    this.defaultMs = Math.max(this.minMs, settings.defaultMinutes * MINUTE_MS);
  }

  /**
   * Parses a typed interval: `8h`, `90m`, `0` for never.
   * @returns milliseconds; `unreadable`, or `too-short`
   */
  read(text: string): number | "unreadable" | "too-short" {
    const ms = durationOf(text);
    if (ms === undefined) return "unreadable";
    return ms !== 0 && ms < this.minMs ? "too-short" : ms;
  }

  /** The minimum, for messages. */
  get minText(): string {
    return durationText(this.minMs);
  }
}

/**
 * SQL for what is due at `$now`, using the table's index on `next_at`. A time more than twice as far ahead as any
 * planned one was planned before the clock was set back.
 */
export const isDue = `next_at <= $now OR (next_at > $now + ${2 * DAY_MS} AND next_at > $now + 2 * interval_ms)`;

/** The delay before a retry: doubled with each failure, up to a day or the mirror's interval. */
export function retryAfterMs(intervalMs: number, failures: number): number {
  const doubled = intervalMs * 2 ** Math.min(failures, MAX_DOUBLINGS);
  return Math.min(doubled, Math.max(DAY_MS, intervalMs));
}
