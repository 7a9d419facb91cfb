import { type Clock, steadyClock } from "./clock.ts";
import { TooManyRequests } from "./errors.ts";

/** A maximum number of requests per time window for each key; requests beyond it are refused with the time to retry. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
  /** The maximum number of keys remembered; the least recently seen are forgotten first. */
  readonly maxKeys?: number;
}

/**
 * A leaky bucket: `limit` at once, then one every `windowMs / limit`. It needs one number per key and no timers (the
 * generic cell rate algorithm: the time at which the bucket is empty again).
 */
export class RateLimiter {
  private readonly emptyAt = new Map<string, number>();

  constructor(
    private readonly rule: RateLimit,
    private readonly clock: Clock = steadyClock,
  ) {}

  /** Counts one request. @throws TooManyRequests `request.rate-limited`, without counting it */
  take(key: string): void {
    const waitMs = this.tryTake(key);
    if (waitMs > 0) throw new TooManyRequests("request.rate-limited", Math.ceil(waitMs / 1000));
  }

  /** Counts one request if the limit allows. @returns 0, or the milliseconds until it does */
  tryTake(key: string): number {
    const { limit, windowMs, maxKeys = 10_000 } = this.rule;
    const now = this.clock();
    const emptyAt = Math.max(this.emptyAt.get(key) ?? 0, now);
    const each = windowMs / limit;
    // Ignores fractions of a millisecond, which may be rounding errors of the additions.
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

  /** Resets a key after it has proved legitimate. */
  forget(key: string): void {
    this.emptyAt.delete(key);
  }
}
