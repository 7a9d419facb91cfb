import { type Clock, steadyClock } from "./clock.ts";

const KEEP_MS = 10 * 60_000;
const MAX_ENTRIES = 1000;

/**
 * A value that a single page after a redirect shows once, such as a new token's secret. Kept only in memory, so that it
 * is in no URL, cookie or table; a restart loses it, and the user creates a new token.
 */
export class ShownOnce<Value> {
  private readonly waiting = new Map<string, { value: Value; until: number }>();

  constructor(private readonly clock: Clock = steadyClock) {}

  /** @param sessionId the session whose next page shows it */
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

  /** Reads the value without removing it, for a page that shows it until its form is sent. */
  peek(sessionId: string): Value | undefined {
    const found = this.waiting.get(sessionId);
    return found && found.until > this.clock() ? found.value : undefined;
  }
}
