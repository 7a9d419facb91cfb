import { isWaiting, type Task, type Thread } from "./task.ts";

/** How often the running jobs are checked. */
const TICK_MS = 5_000;

/**
 * Measures how long jobs are at work, not counting the time they wait for their clients: a fetch may last for hours
 * because someone reads slowly, but must not compute for hours.
 */
export class WorkTime {
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly threads: Iterable<Thread>,
    private readonly limitMs: number,
    /** Called with each job that exceeded the limit. */
    private readonly onOverlong: (task: Task) => void,
  ) {}

  /** To be called whenever a thread takes a job. */
  start(): void {
    if (this.timer !== undefined) return;
    const tickMs = Math.min(TICK_MS, this.limitMs / 2);
    this.timer = setInterval(() => this.tick(tickMs), tickMs);
    this.timer.unref?.();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tick(tickMs: number): void {
    let tasks = 0;
    for (const { task } of this.threads) {
      if (!task || (task.lane !== "bulk" && task.lane !== "pushes")) continue;
      tasks++;
      if (task.queued || isWaiting(task)) continue;
      task.workedMs += tickMs;
      if (task.workedMs > this.limitMs) this.onOverlong(task);
    }
    if (tasks === 0) this.stop();
  }
}
