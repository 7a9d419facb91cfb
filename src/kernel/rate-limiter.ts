import { type Clock, steadyClock } from "./clock.ts";
import { TooManyRequests } from "./errors.ts";

/** At most so many in a time for each key; the others are told when to come again. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
  /** Keys remembered at most; the ones not seen for longest are forgotten first. */
  readonly maxKeys?: number;
}

/**
 * Counts as a leaky bucket does: `limit` at once, then one each `windowMs / limit`. One number a key and no timers
 * (the generic cell rate algorithm: the time at which the bucket is empty again).
 */
export class RateLimiter {
  private readonly emptyAt = new Map<string, number>();

  constructor(
    private readonly rule: RateLimit,
    private readonly clock: Clock = steadyClock,
  ) {}

  /** Counts one. @throws TooManyRequests `request.rate-limited`; it was not counted */
  take(key: string): void {
    const waitMs = this.tryTake(key);
    if (waitMs > 0) throw new TooManyRequests("request.rate-limited", Math.ceil(waitMs / 1000));
  }

  /** Counts one when there is room. @returns 0, or the milliseconds until there is */
  tryTake(key: string): number {
    const { limit, windowMs, maxKeys = 10_000 } = this.rule;
    const now = this.clock();
    const emptyAt = Math.max(this.emptyAt.get(key) ?? 0, now);
    const each = windowMs / limit;
    // Fractions of a millisecond may be what adding them left over.
    const waitMs = Math.floor(emptyAt + each - windowMs - now);
    if (waitMs > 0) return waitMs;
    this.emptyAt.delete(key);
    this.emptyAt.set(key, emptyAt + each);
    if (this.emptyAt.size > maxKeys) {
      const oldest = this.emptyAt.keys().next();
      if (!oldest.done) this.emptyAt.delete(oldest.value);
    }
    return 0;
  }

  /** Forgets what a key used, after it has shown that it was meant well. */
  forget(key: string): void {
    this.emptyAt.delete(key);
  }
}
