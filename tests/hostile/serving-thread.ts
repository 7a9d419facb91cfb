import { existsSync, readFileSync } from "node:fs";

/** Looks at the thread that serves: how long it did not come to wait for requests, less what it waited for a core. */
export class ServingThread {
  /** The longest such time since the beginning, or since `reset`. */
  longestHeldMs = 0;
  private stretchMs = 0;
  private last: { readonly at: number; readonly ranMs: number };

  constructor(private readonly pid: number) {
    this.last = { at: performance.now(), ranMs: this.ranMs() };
  }

  /** Milliseconds of CPU it has had. */
  ranMs(): number {
    return Number(readFileSync(`/proc/${this.pid}/task/${this.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }

  reset(): void {
    this.longestHeldMs = 0;
    this.stretchMs = 0;
    this.last = { at: performance.now(), ranMs: this.ranMs() };
  }

  /** To be called every few milliseconds; of a process that has ended there is nothing to see. */
  look(): void {
    if (!existsSync(`/proc/${this.pid}`)) return;
    const thread = `/proc/${this.pid}/task/${this.pid}`;
    const now = { at: performance.now(), ranMs: this.ranMs() };
    const isIdle = readFileSync(`${thread}/wchan`, "utf8").includes("epoll");
    const isOnDisk = / D /.test(readFileSync(`${thread}/stat`, "utf8"));
    this.stretchMs += isOnDisk ? now.at - this.last.at : now.ranMs - this.last.ranMs;
    this.longestHeldMs = Math.max(this.longestHeldMs, this.stretchMs);
    if (isIdle) this.stretchMs = 0;
    this.last = now;
  }
}
