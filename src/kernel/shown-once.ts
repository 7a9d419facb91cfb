import { type Clock, steadyClock } from "./clock.ts";

const KEEP_MS = 10 * 60_000;
const MAX_ENTRIES = 1000;

/**
 * What one page after a redirect shows once and no one else ever sees: a new token's secret. In memory only, so it is
 * in no address, no cookie and no table; after a restart it is gone, and a new token is made.
 */
export class ShownOnce<Value> {
  private readonly waiting = new Map<string, { value: Value; until: number }>();

  constructor(private readonly clock: Clock = steadyClock) {}

  /** @param sessionId whose next page shows it */
  keep(sessionId: string, value: Value): void {
    this.waiting.delete(sessionId);
    this.waiting.set(sessionId, { value, until: this.clock() + KEEP_MS });
    const oldest = this.waiting.keys().next().value;
    if (this.waiting.size > MAX_ENTRIES && oldest !== undefined) this.waiting.delete(oldest);
  }

  take(sessionId: string): Value | undefined {
    const value = this.peek(sessionId);
    this.waiting.delete(sessionId);
    return value;
  }

  /** For what a page shows until its form is sent. */
  peek(sessionId: string): Value | undefined {
    const found = this.waiting.get(sessionId);
    return found && found.until > this.clock() ? found.value : undefined;
  }
}
