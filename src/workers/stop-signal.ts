/**
 * A job's abort signal. A message cannot reach a thread in the middle of synchronous work, but a flag in shared memory
 * can, so this signal reads that flag whenever it is polled.
 */
export class StopSignal {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();

  /** @param flag one word, nonzero once the job is to stop */
  constructor(private readonly flag: Int32Array) {
    const { signal } = this.controller;
    const aborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get;
    const throwIfAborted = AbortSignal.prototype.throwIfAborted;
    Object.defineProperties(signal, {
      aborted: {
        get: () => {
          this.look();
          return aborted?.call(signal) === true;
        },
      },
      throwIfAborted: {
        value: () => {
          this.look();
          throwIfAborted.call(signal);
        },
      },
    });
    this.signal = signal;
  }

  abort(): void {
    this.controller.abort(new DOMException("the caller went away", "AbortError"));
  }

  private look(): void {
    if (Atomics.load(this.flag, 0) !== 0) this.abort();
  }
}
