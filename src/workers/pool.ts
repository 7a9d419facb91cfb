import { AsyncLocalStorage } from "node:async_hooks";
import { activityOf, type LaneActivity } from "./activity.ts";
import { FairQueue } from "./fair-queue.ts";
import type { JobInput, JobName, JobResult } from "./jobs.ts";
import { type FromWorker, type ToWorker, WINDOW_BYTES } from "./messages.ts";
import type { Job, JobOptions, PoolOptions } from "./options.ts";
import {
  aborted,
  hasEnded,
  isStalled,
  isWaiting,
  type Lane,
  newTask,
  post,
  sharesAtWork,
  type Task,
  type TaskInput,
  type Thread,
} from "./task.ts";
import { GIVEN_BACK_MS, Threads } from "./threads.ts";
import { WorkTime } from "./work-time.ts";

/** A failure inside a job, with the name and fields of the original error. */
export class JobFailed extends Error {
  override name = "JobFailed";
  constructor(
    readonly originalName: string,
    message: string,
    readonly fields: Record<string, unknown>,
    readonly originalStack: string | undefined,
  ) {
    super(message);
  }
}

/** A job exceeded its time limit, or waited too long for a thread. */
export class JobTimedOut extends Error {
  override name = "JobTimedOut";
}

const STALL_TIMEOUT_MS = 60_000;
const ABORT_GRACE_MS = 2_000;
const KILL_TIMEOUT_MS = 3_000;
const INTERACTIVE_TIMEOUT_MS = 60_000;
/** A job may wait this many times its time limit for a thread. */
const QUEUE_FACTOR = 4;
const WORK_LIMIT_MS = 2 * 3_600_000;
/** After a job this long the thread is ended, to free the memory that it has grown to. */
const LONG_JOB_MS = 3_000;
/** The same for maintenance, where nobody waits for a new thread. */
const LONG_MAINTENANCE_MS = 500;
const QUIET_LOOK_MS = 25;
/** Work done in steps leaves its lane idle in between. */
const QUIET_MS = 200;

/** Runs jobs in worker threads, one job per thread; threads start when needed and end when idle. */
export class WorkerPool {
  private readonly threads: Threads;
  private readonly waiting: Record<Lane, FairQueue<Task>>;
  private readonly limits: Readonly<Record<Lane, number>>;
  private readonly client = new AsyncLocalStorage<string>();
  private closed = false;
  private readonly workTime: WorkTime;

  constructor(private readonly options: PoolOptions) {
    const { bulk, interactive, maintenance = 1, writes = 2, workLimitMs = WORK_LIMIT_MS } = options;
    this.threads = new Threads(options, {
      onMessage: (thread, message) => this.hear(thread, message),
      onEnd: (thread, error) => this.ended(thread, error),
      onRoom: (lane) => this.dispatch(lane),
    });
    this.workTime = new WorkTime(this.threads, workLimitMs, (task) => this.timeOut(task));
    this.limits = { bulk, pushes: bulk, interactive, maintenance, writes, paced: 1 };
    const shared = (threads: number) => new FairQueue<Task>(Math.max(1, threads - 1));
    // Nobody waits for maintenance, and a flush is short.
    const unshared = () => new FairQueue<Task>(Number.POSITIVE_INFINITY);
    this.waiting = {
      bulk: shared(bulk),
      pushes: shared(bulk),
      interactive: shared(interactive),
      maintenance: unshared(),
      writes: unshared(),
      paced: unshared(),
    };
  }

  /** Runs `work` on behalf of a client: the jobs it starts count as that client's. */
  asClient<T>(client: string, work: () => T): T {
    return this.client.run(client, work);
  }

  /** Runs a job that needs no streams and returns its result. */
  run<K extends JobName>(name: K, input: JobInput<K>, options: Omit<JobOptions, "onNote"> = {}): Promise<JobResult<K>> {
    const job = this.start(name, input, { lane: "interactive", ...options });
    job.end();
    return job.result;
  }

  /** Starts a job with input and output streams. */
  start<K extends JobName>(name: K, input: JobInput<K>, options: JobOptions = {}): Job<K> {
    if (this.closed) throw new Error("the worker pool is closed");
    const settle = Promise.withResolvers<unknown>();
    settle.promise.catch(() => {});
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    let task!: Task;
    const output = new ReadableStream<Uint8Array>(
      {
        start: (c) => {
          controller = c;
        },
        pull: () => this.grant(task),
        cancel: () => this.abort(task),
      },
      { highWaterMark: 1 },
    );
    task = newTask({
      name,
      input,
      lane: options.lane ?? "bulk",
      shares: this.sharesOf(input, options),
      timeoutMs: options.timeoutMs,
      onNote: options.onNote,
      output: controller,
      result: settle.promise,
      resolve: settle.resolve,
      reject: settle.reject,
    });
    options.signal?.addEventListener("abort", () => this.abort(task), { once: true });
    if (options.signal?.aborted) this.abort(task);
    else {
      // Nobody waits for maintenance, which may be queued behind an hour-long repack.
      if (task.lane !== "maintenance" && task.lane !== "paced") this.limit(task, QUEUE_FACTOR);
      this.enqueue(task);
      // Once the caller has indicated whether there will be input.
      queueMicrotask(() => this.dispatch(task.lane));
    }
    return {
      output,
      result: settle.promise as Promise<JobResult<K>>,
      abort: () => this.abort(task),
      end: () => this.tell(task, { kind: "end" }),
      send: async (chunk) => {
        this.tell(task, { kind: "chunk", chunk });
        while (task.outstanding > WINDOW_BYTES && !hasEnded(task)) {
          await new Promise<void>((wake) => {
            task.wakeSender = wake;
          });
        }
      },
    };
  }

  /** Whether a thread may be started; also asked for threads outside this pool. */
  mayStartThread(): boolean {
    return this.options.mayStartThread?.() !== false;
  }

  /** The current activity of all lanes. */
  activity(): LaneActivity[] {
    return activityOf(this.threads, this.waiting, this.limits);
  }

  /**
   * Waits until a lane has been idle for a moment, and after long work until its memory has been freed, too; but for
   * `withinMs` at most.
   */
  async quiet(lane: Lane, withinMs: number, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    let idleSince = began;
    for (let now = began; now - began < withinMs; now = performance.now()) {
      if (this.waiting[lane].length > 0 || this.working(lane).length > 0) idleSince = now;
      const wasLong = idleSince - began > LONG_JOB_MS;
      // By then, threads that did something else meanwhile have become idle and ended.
      if (now - idleSince > (wasLong ? this.options.idleMs + GIVEN_BACK_MS : QUIET_MS)) return;
      await Bun.sleep(QUIET_LOOK_MS);
      signal.throwIfAborted();
    }
  }

  /**
   * Takes no more jobs and aborts the running ones; resolves once all have ended, at the latest after the grace time.
   */
  async stop(): Promise<void> {
    this.closed = true;
    for (const lane of Object.values(this.waiting)) for (const task of lane.clear()) this.fail(task, aborted());
    const tasks = [...this.threads].flatMap(({ task }) => task ?? []);
    for (const task of tasks) this.abort(task);
    await Promise.allSettled(tasks.map(({ result }) => result));
  }

  /** Terminates every thread; running jobs fail. */
  close(): void {
    this.closed = true;
    for (const lane of Object.values(this.waiting))
      for (const task of lane.clear()) this.fail(task, new Error("the server is stopping"));
    this.workTime.stop();
    for (const thread of this.threads) this.threads.end(thread, new Error("the server is stopping"));
  }

  private grant(task: Task): void {
    const bytes = task.unread;
    if (bytes === 0) return;
    task.unread = 0;
    clearTimeout(task.stallTimer);
    task.thread?.worker.postMessage({ kind: "credit", bytes } satisfies ToWorker);
  }

  /** Passes input to a task. If the task was waiting for it, it is queued to continue. */
  private tell(task: Task, message: TaskInput): void {
    if (hasEnded(task)) return;
    const resumes = task.thread !== undefined && !task.queued && isWaiting(task);
    if (message.kind === "end") task.ended = true;
    else task.outstanding += message.chunk.byteLength;
    if (task.thread && !task.queued && !resumes) {
      post(task.thread, message);
      return;
    }
    task.early.push(message);
    if (!resumes) return;
    this.enqueue(task);
    this.dispatch(task.lane);
  }

  private enqueue(task: Task): void {
    task.queued = true;
    this.waiting[task.lane].push(task);
  }

  private leaveQueue(task: Task): void {
    if (task.queued) this.waiting[task.lane].remove(task);
    task.queued = false;
  }

  private sharesOf(input: unknown, { lane, share }: JobOptions): string[] {
    const shares: string[] = [];
    const client = this.client.getStore();
    if (client !== undefined) shares.push(`client:${client}`);
    // Many clients may fetch one repository at the same time.
    if (lane === "interactive" && typeof input === "object" && input !== null && "repoDir" in input)
      shares.push(`repo:${input.repoDir}`);
    if (share !== undefined) shares.push(share);
    return shares;
  }

  /** Ends the task after `factor` times its time limit. */
  private limit(task: Task, factor: number): void {
    clearTimeout(task.timer);
    const timeoutMs = task.timeoutMs ?? (task.lane === "interactive" ? INTERACTIVE_TIMEOUT_MS : undefined);
    if (timeoutMs === undefined) return;
    task.timer = setTimeout(() => this.timeOut(task), timeoutMs * factor);
    task.timer.unref?.();
  }

  private timeOut(task: Task): void {
    if (hasEnded(task)) return;
    task.timedOut = new JobTimedOut(`${task.name} took too long`);
    const { thread } = task;
    if (!thread || task.timeoutMs === undefined) {
      this.abort(task);
      return;
    }
    // It only computes, holds nothing and cannot react to an abort.
    this.fail(task, task.timedOut);
    this.threads.end(thread, task.timedOut);
  }

  private abort(task: Task): void {
    if (hasEnded(task)) return;
    const thread = task.thread;
    this.leaveQueue(task);
    if (!thread) {
      this.fail(task, task.timedOut ?? aborted());
      return;
    }
    this.failOutput(task, task.timedOut ?? aborted());
    clearTimeout(task.stallTimer);
    clearTimeout(task.timer);
    const graceMs = this.options.abortGraceMs ?? ABORT_GRACE_MS;
    task.abortTimer = setTimeout(() => this.kill(thread, task), graceMs);
    task.abortTimer.unref?.();
    Atomics.store(thread.stop, 0, 1);
    thread.worker.postMessage({ kind: "abort" } satisfies ToWorker);
    task.wakeSender?.();
    // Nobody waits for it: its place in the lane is free for another.
    this.dispatch(thread.lane);
  }

  private fail(task: Task, error: unknown): void {
    if (task.settled) return;
    this.settle(task);
    this.failOutput(task, error);
    task.reject(error);
  }

  private failOutput(task: Task, error: unknown): void {
    if (task.outputClosed) return;
    task.outputClosed = true;
    task.output.error(error);
  }

  private settle(task: Task): void {
    task.settled = true;
    this.leaveQueue(task);
    clearTimeout(task.stallTimer);
    clearTimeout(task.timer);
    clearTimeout(task.abortTimer);
    task.wakeSender?.();
    if (task.thread) task.thread.task = undefined;
    task.thread = undefined;
  }

  private dispatch(lane: Lane): void {
    const queue = this.waiting[lane];
    while (queue.length > 0) {
      const working = this.working(lane);
      if (working.length >= this.limits[lane]) return;
      const hasThread = (task: Task) => task.thread !== undefined || this.threads.hasRoom(lane);
      const task = queue.next(sharesAtWork(working), hasThread);
      if (!task) return;
      task.queued = false;
      if (!task.thread) this.assign(task, this.threads.idle(lane) ?? this.threads.start(lane));
      for (const message of task.early.splice(0)) post(task.thread!, message);
    }
  }

  private assign(task: Task, thread: Thread): void {
    this.limit(task, 1);
    this.workTime.start();
    clearTimeout(thread.idleTimer);
    thread.task = task;
    task.thread = thread;
    task.startedAt = performance.now();
    post(thread, { kind: "start", name: task.name, input: task.input });
  }

  /** The jobs of a lane that are at work, without those waiting for their client. */
  private working(lane: Lane): Task[] {
    const found: Task[] = [];
    for (const { task, lane: own } of this.threads)
      if (own === lane && task && !task.queued && !isWaiting(task) && !hasEnded(task)) found.push(task);
    return found;
  }

  private hear(thread: Thread, message: FromWorker): void {
    const task = thread.task;
    if (!task) return;
    switch (message.kind) {
      case "chunk": {
        if (task.outputClosed) return;
        task.unread += message.chunk.byteLength;
        task.output.enqueue(message.chunk);
        if ((task.output.desiredSize ?? 0) > 0) this.grant(task);
        if (isStalled(task)) {
          clearTimeout(task.stallTimer);
          task.stallTimer = setTimeout(() => this.abort(task), this.options.stallTimeoutMs ?? STALL_TIMEOUT_MS);
          this.dispatch(thread.lane);
        }
        break;
      }
      case "note":
        task.onNote?.(message.note);
        break;
      case "credit":
        task.outstanding -= message.bytes;
        task.wakeSender?.();
        if (isWaiting(task)) this.dispatch(thread.lane);
        break;
      case "done":
      case "failed":
        this.hearEnd(thread, task, message);
    }
  }

  private hearEnd(thread: Thread, task: Task, message: Extract<FromWorker, { kind: "done" | "failed" }>): void {
    if (hasEnded(task)) {
      this.threads.end(thread, task.timedOut ?? aborted());
      return;
    }
    if (message.kind === "failed") {
      const { name, message: text, fields, stack } = message.error;
      this.fail(task, new JobFailed(name, text, fields, stack));
    } else {
      this.settle(task);
      task.outputClosed = true;
      try {
        task.output.close();
      } catch {
        // The reader has cancelled in the meantime.
      }
      task.resolve(message.result);
      const tookMs = performance.now() - task.startedAt;
      const isLong = tookMs > LONG_JOB_MS;
      if (isLong || (thread.lane === "maintenance" && tookMs > LONG_MAINTENANCE_MS)) {
        this.threads.end(thread, aborted(), isLong);
        return;
      }
    }
    this.threads.rest(thread);
    this.dispatch(thread.lane);
  }

  /**
   * Terminates a thread in the middle of an aborted job. The job counts as ended when the thread has: it may hold a
   * lock until then. A thread that hangs in the kernel, on an unresponsive disk, may never end, and is not waited for.
   */
  private kill(thread: Thread, task: Task): void {
    thread.task = undefined;
    const settle = () => this.fail(task, task.timedOut ?? aborted());
    thread.worker.addEventListener("close", settle);
    setTimeout(settle, KILL_TIMEOUT_MS).unref?.();
    this.threads.end(thread, aborted());
  }

  /**
   * After an aborted job its thread is ended, too: messages that the job may still have in transit must not be taken
   * for the next one's.
   */
  private ended(thread: Thread, error: unknown): void {
    if (thread.task) this.fail(thread.task, error);
    if (!this.closed) this.dispatch(thread.lane);
  }
}
