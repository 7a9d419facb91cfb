/**
 * The signal of a job. A message cannot reach a thread in the middle of synchronous work; a word in shared memory can.
 * So whoever asks this signal looks there first.
 */
export class StopSignal {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();

  /** @param flag one word that is not zero once the job is to stop */
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
