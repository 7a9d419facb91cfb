import { OutboundFailed } from "./errors.ts";

export interface Limits {
  /** In total, including redirects and the body. */
  readonly timeoutMs: number;
  /** For each wait without sending or receiving. Waiting for our own reader does not count. */
  readonly idleMs: number;
}

/** The time limit of a request: `signal` aborts with the reason when it has passed, or when the caller cancels. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly total: ReturnType<typeof setTimeout>;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private readonly onCallerAbort = () => this.abort(new OutboundFailed("aborted", this.host));

  constructor(
    private readonly host: string,
    private readonly limits: Limits,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.total = setTimeout(() => this.abort(new OutboundFailed("timeout", host)), limits.timeoutMs);
    if (caller?.aborted) this.onCallerAbort();
    else caller?.addEventListener("abort", this.onCallerAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the idle timer. */
  touch(): void {
    clearTimeout(this.idle);
    if (!this.signal.aborted)
      this.idle = setTimeout(() => this.abort(new OutboundFailed("stalled", this.host)), this.limits.idleMs);
  }

  /** Suspends the idle timer. */
  pause(): void {
    clearTimeout(this.idle);
  }

  end(): void {
    clearTimeout(this.total);
    clearTimeout(this.idle);
    this.caller?.removeEventListener("abort", this.onCallerAbort);
  }

  /** Rejects with the reason as soon as the time is up. */
  race<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const fail = () => reject(this.signal.reason);
    if (this.signal.aborted) fail();
    else this.signal.addEventListener("abort", fail, { once: true });
    return Promise.race([work, promise]).finally(() => this.signal.removeEventListener("abort", fail));
  }

  private abort(reason: OutboundFailed): void {
    this.end();
    this.controller.abort(reason);
  }
}
