/** Shorter runs are not worth a pause; longer ones slow down others on the same core. */
const MAX_BUSY_MS = 20;
/** An abort is noticed within this time. */
const NAP_MS = 50;

/** Limits long work in a worker thread to a share of one core: it works a little, then sleeps in proportion. */
export class Pacer {
  private busySince = performance.now();

  constructor(
    /** Above 0, at most 1, which never sleeps. */
    private readonly coreShare: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** To be called every few milliseconds. @throws the signal's reason */
  rest(): void {
    this.signal?.throwIfAborted();
    const busyMs = performance.now() - this.busySince;
    if (this.coreShare >= 1 || busyMs < MAX_BUSY_MS) return;
    const until = performance.now() + busyMs * (1 / this.coreShare - 1);
    for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
      Bun.sleepSync(Math.min(left, NAP_MS));
      this.signal?.throwIfAborted();
    }
    this.busySince = performance.now();
  }
}
