import { AsyncLocalStorage } from "node:async_hooks";
import type { CacheBudget, CacheLoan } from "../kernel/cache.ts";
import { closeLeftOpen, makeDescriptorTable } from "./descriptors.ts";
import { FairQueue } from "./fair-queue.ts";
import type { JobInput, JobName, JobResult } from "./jobs.ts";
import { type FromWorker, type ToWorker, WINDOW_BYTES } from "./messages.ts";

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

/** A job took longer than it may, or waited too long for a thread. */
export class JobTimedOut extends Error {
  override name = "JobTimedOut";
}

/** How a job is run. */
export interface JobOptions {
  readonly lane?: Lane;
  readonly signal?: AbortSignal;
  readonly onNote?: (note: string) => void;
  /**
   * A job that only computes fails after so long in a thread, or four times as long without one, and its thread is ended
   * at once. Without it, interactive ones, which someone waits for, are aborted after a minute.
   */
  readonly timeoutMs?: number;
  /** What it works on, such as a repository: no one thing has all threads (FairQueue). A `repoDir` of the input counts by itself. */
  readonly share?: string;
}

export interface PoolOptions {
  /** Threads at long work (packs, graphs) at the same time. Those that wait for a client do not count. */
  readonly bulk: number;
  /** Threads kept for work someone is waiting for (highlighting, diffs). */
  readonly interactive: number;
  /** Whether a thread may be started now; when not, it is asked again a little later. A thread needs files to be opened. */
  mayStartThread?(): boolean;
  /** The memory of which each thread is lent a part for what it caches; without it threads cache as much as they like. */
  readonly caches?: CacheBudget;
  /** Threads for maintenance; one by default. */
  readonly maintenance?: number;
  /** Threads that flush files to the disk; two by default. */
  readonly writes?: number;
  /** An idle thread ends after this long, so that an idle server holds none. */
  readonly idleMs: number;
  /** A job whose output no one reads for this long is aborted; a minute by default. */
  readonly stallTimeoutMs?: number;
  /** How long a job that is aborted may take to end by itself before its thread is ended; two seconds by default. */
  readonly abortGraceMs?: number;
}

/**
 * Work of a kind waits only for its own kind. bulk: pushes, fetches and other long streams; interactive: what a page
 * waits for; maintenance: what no one waits for; writes: short flushes to the disk that a commit waits for; paced: what
 * takes hours because it sleeps most of the time, one at a time, so that maintenance does not wait for it.
 */
export type Lane = "bulk" | "interactive" | "maintenance" | "writes" | "paced";

/** Threads of a lane in all: so many clients may be slow at once before others have to wait for them. */
const MAX_THREADS = 48;
const STALL_TIMEOUT_MS = 60_000;
const ABORT_GRACE_MS = 2_000;
const KILL_TIMEOUT_MS = 3_000;
const INTERACTIVE_TIMEOUT_MS = 60_000;
/** A job may wait so many times as long for a thread as it may run in one. */
const QUEUE_FACTOR = 4;
const START_RETRY_MS = 100;
/** Of the memory for caches, for as long as the thread lives. */
const THREAD_CACHE_SHARE = 1 / 8;

/** A job under way. */
export interface Job<K extends JobName> {
  /** Streams bytes in; resolves once more may be sent. The buffer must not be used afterwards. */
  send(chunk: Uint8Array): Promise<void>;
  /** No more input. */
  end(): void;
  /** The bytes the job emits; must be read (or the job aborted) for it to go on. */
  readonly output: ReadableStream<Uint8Array>;
  /** Fails with an AbortError once an aborted job has really ended: from then on it touches no file. */
  readonly result: Promise<JobResult<K>>;
  /** Tells the job to stop; a thread that does not within the grace time is ended, and what it held is freed. */
  abort(): void;
}

interface Task {
  name: JobName;
  input: unknown;
  lane: Lane;
  readonly shares: readonly string[];
  /** Undefined: of no limit of its own. */
  readonly timeoutMs: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** The queue counts it as running. */
  counted: boolean;
  /** Why it was ended, when it took too long. */
  timedOut: JobTimedOut | undefined;
  onNote: ((note: string) => void) | undefined;
  output: ReadableStreamDefaultController<Uint8Array>;
  outputClosed: boolean;
  thread: Thread | undefined;
  early: ToWorker[];
  /** No more input will come. */
  ended: boolean;
  /** Bytes sent in that the job has not done with. */
  outstanding: number;
  /** Bytes emitted that the reader has not made room for. */
  unread: number;
  /** Runs while the job stands still because no one reads. */
  stallTimer: ReturnType<typeof setTimeout> | undefined;
  wakeSender: (() => void) | undefined;
  /** It was told to stop, and its thread is ended when this timer runs out. */
  abortTimer: ReturnType<typeof setTimeout> | undefined;
  settled: boolean;
  readonly result: Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  lane: Lane;
  task: Task | undefined;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Shared with the thread: not zero while its job is to stop. */
  stop: Int32Array;
  cacheLoan: CacheLoan | undefined;
}

/** Runs jobs in worker threads, a job a thread, started when needed and ended when idle. */
export class WorkerPool {
  private readonly threads = new Set<Thread>();
  private readonly waiting: Record<Lane, FairQueue<Task>>;
  private readonly limits: Readonly<Record<Lane, number>>;
  private readonly client = new AsyncLocalStorage<string>();
  private closed = false;

  constructor(private readonly options: PoolOptions) {
    const { bulk, interactive, maintenance = 1, writes = 2 } = options;
    this.limits = { bulk, interactive, maintenance, writes, paced: 1 };
    // Only what someone waits for has shares: fetches and pushes wait by rules of their own.
    const unshared = () => new FairQueue<Task>(Number.POSITIVE_INFINITY);
    this.waiting = {
      bulk: unshared(),
      interactive: new FairQueue(Math.max(1, interactive - 1)),
      maintenance: unshared(),
      writes: unshared(),
      paced: unshared(),
    };
  }

  /** Does something for a client: the interactive jobs it starts count as that client's. */
  asClient<T>(client: string, work: () => T): T {
    return this.client.run(client, work);
  }

  /** Runs a job that needs no streams and answers its result. */
  run<K extends JobName>(name: K, input: JobInput<K>, options: Omit<JobOptions, "onNote"> = {}): Promise<JobResult<K>> {
    const job = this.start(name, input, { lane: "interactive", ...options });
    job.end();
    return job.result;
  }

  /** Starts a job with streams in and out. */
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
    task = {
      name,
      input,
      lane: options.lane ?? "bulk",
      shares: this.sharesOf(input, options.share),
      timeoutMs: options.timeoutMs,
      timer: undefined,
      counted: false,
      timedOut: undefined,
      onNote: options.onNote,
      output: controller,
      outputClosed: false,
      thread: undefined,
      early: [],
      ended: false,
      outstanding: 0,
      unread: 0,
      stallTimer: undefined,
      wakeSender: undefined,
      abortTimer: undefined,
      settled: false,
      result: settle.promise,
      resolve: settle.resolve,
      reject: settle.reject,
    };
    options.signal?.addEventListener("abort", () => this.abort(task), { once: true });
    if (options.signal?.aborted) this.abort(task);
    else {
      this.waiting[task.lane].push(task);
      this.limit(task, QUEUE_FACTOR);
      this.dispatch(task.lane);
    }
    return {
      output,
      result: settle.promise as Promise<JobResult<K>>,
      abort: () => this.abort(task),
      end: () => {
        task.ended = true;
        this.tell(task, { kind: "end" });
      },
      send: async (chunk) => {
        task.outstanding += chunk.byteLength;
        this.tell(task, { kind: "chunk", chunk });
        while (task.outstanding > WINDOW_BYTES && !hasEnded(task)) {
          await new Promise<void>((wake) => {
            task.wakeSender = wake;
          });
        }
      },
    };
  }

  /** Takes no more jobs and aborts the running ones; resolves when all have ended, at the latest after the grace time. */
  async stop(): Promise<void> {
    this.closed = true;
    for (const lane of Object.values(this.waiting)) for (const task of lane.clear()) this.fail(task, aborted());
    const tasks = [...this.threads].flatMap(({ task }) => task ?? []);
    for (const task of tasks) this.abort(task);
    await Promise.allSettled(tasks.map(({ result }) => result));
  }

  /** Ends every thread; running jobs fail. */
  close(): void {
    this.closed = true;
    for (const lane of Object.values(this.waiting))
      for (const task of lane.clear()) this.fail(task, new Error("the server is stopping"));
    for (const thread of this.threads) this.end(thread, new Error("the server is stopping"));
  }

  private grant(task: Task): void {
    const bytes = task.unread;
    if (bytes === 0) return;
    task.unread = 0;
    clearTimeout(task.stallTimer);
    task.thread?.worker.postMessage({ kind: "credit", bytes } satisfies ToWorker);
  }

  private tell(task: Task, message: ToWorker): void {
    if (hasEnded(task)) return;
    if (!task.thread) task.early.push(message);
    else if (message.kind === "chunk" && message.chunk.byteLength === message.chunk.buffer.byteLength)
      task.thread.worker.postMessage(message, [message.chunk.buffer as ArrayBuffer]);
    else task.thread.worker.postMessage(message);
  }

  private sharesOf(input: unknown, named: string | undefined): string[] {
    const shares: string[] = [];
    const client = this.client.getStore();
    if (client !== undefined) shares.push(`client:${client}`);
    if (typeof input === "object" && input !== null && "repoDir" in input) shares.push(`repo:${input.repoDir}`);
    if (named !== undefined) shares.push(named);
    return shares;
  }

  /** Ends the task when its time, so many times over, is up. */
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
    // It only computes, holds nothing and cannot hear.
    this.fail(task, task.timedOut);
    this.end(thread, task.timedOut);
  }

  /** Its place is another's. */
  private release(task: Task): void {
    if (task.counted) this.waiting[task.lane].done(task);
    task.counted = false;
  }

  private abort(task: Task): void {
    if (hasEnded(task)) return;
    const thread = task.thread;
    if (!thread) {
      this.waiting[task.lane].remove(task);
      this.fail(task, task.timedOut ?? aborted());
      return;
    }
    this.failOutput(task, task.timedOut ?? aborted());
    clearTimeout(task.stallTimer);
    clearTimeout(task.timer);
    this.release(task);
    const graceMs = this.options.abortGraceMs ?? ABORT_GRACE_MS;
    task.abortTimer = setTimeout(() => this.kill(thread, task), graceMs);
    task.abortTimer.unref?.();
    Atomics.store(thread.stop, 0, 1);
    thread.worker.postMessage({ kind: "abort" } satisfies ToWorker);
    task.wakeSender?.();
    // No one waits for it: its place in the lane is another's already.
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
    clearTimeout(task.stallTimer);
    clearTimeout(task.timer);
    this.release(task);
    clearTimeout(task.abortTimer);
    task.wakeSender?.();
    if (task.thread) task.thread.task = undefined;
    task.thread = undefined;
  }

  private dispatch(lane: Lane): void {
    while (this.waiting[lane].hasNext() && this.working(lane) < this.limits[lane]) {
      const thread = this.idleThread(lane) ?? this.newThread(lane);
      if (!thread) return;
      const task = this.waiting[lane].next();
      if (!task) return;
      task.counted = true;
      this.limit(task, 1);
      clearTimeout(thread.idleTimer);
      thread.task = task;
      task.thread = thread;
      thread.worker.postMessage({ kind: "start", name: task.name, input: task.input } satisfies ToWorker);
      for (const message of task.early.splice(0)) this.tell(task, message);
    }
  }

  private working(lane: Lane): number {
    let count = 0;
    for (const { task, lane: own } of this.threads)
      if (own === lane && task && !isWaiting(task) && !hasEnded(task)) count++;
    return count;
  }

  private idleThread(lane: Lane): Thread | undefined {
    for (const thread of this.threads) if (!thread.task && thread.lane === lane) return thread;
    return undefined;
  }

  private newThread(lane: Lane): Thread | undefined {
    let alive = 0;
    for (const thread of this.threads) if (thread.lane === lane) alive++;
    if (alive >= MAX_THREADS) return undefined;
    if (this.options.mayStartThread?.() === false) {
      setTimeout(() => this.dispatch(lane), START_RETRY_MS).unref();
      return undefined;
    }
    const worker = new Worker(new URL("./worker.ts", import.meta.url).href);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const cacheLoan = this.options.caches?.lend(THREAD_CACHE_SHARE);
    const thread: Thread = { worker, lane, task: undefined, idleTimer: undefined, stop, cacheLoan };
    const descriptors = makeDescriptorTable();
    worker.postMessage({ kind: "shared", descriptors, stop, cacheBytes: cacheLoan?.bytes } satisfies ToWorker);
    worker.addEventListener("close", () => {
      closeLeftOpen(descriptors);
      // One that ended by itself.
      this.end(thread, new Error("the worker ended"));
    });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(thread, event.data);
    worker.onerror = (event) => {
      this.end(thread, new Error(`worker failed: ${event.message}`));
    };
    this.threads.add(thread);
    return thread;
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
        if (hasEnded(task)) {
          this.end(thread, task.timedOut ?? aborted());
          break;
        }
        this.settle(task);
        task.outputClosed = true;
        try {
          task.output.close();
        } catch {
          // The reader cancelled in the meantime.
        }
        task.resolve(message.result);
        this.rest(thread);
        break;
      case "failed":
        if (hasEnded(task)) {
          this.end(thread, task.timedOut ?? aborted());
          break;
        }
        this.fail(
          task,
          new JobFailed(message.error.name, message.error.message, message.error.fields, message.error.stack),
        );
        this.rest(thread);
        break;
    }
  }

  private rest(thread: Thread): void {
    thread.idleTimer = setTimeout(() => this.end(thread, new Error("the worker ended")), this.options.idleMs);
    thread.idleTimer.unref?.();
    this.dispatch(thread.lane);
  }

  /**
   * Ends a thread in the middle of an aborted job. The job has ended when the thread has: it may hold a lock until then.
   * One that hangs in the system, on a disk that does not answer, may never end, and is not waited for.
   */
  private kill(thread: Thread, task: Task): void {
    thread.task = undefined;
    const settle = () => this.fail(task, task.timedOut ?? aborted());
    thread.worker.addEventListener("close", settle);
    setTimeout(settle, KILL_TIMEOUT_MS).unref?.();
    this.end(thread, aborted());
  }

  /**
   * Ends a thread; its task, if it has one, fails. After an aborted job the thread goes too: what the job may have left
   * under way must not speak for the next one.
   */
  private end(thread: Thread, error: unknown): void {
    if (!this.threads.delete(thread)) return;
    clearTimeout(thread.idleTimer);
    thread.cacheLoan?.end();
    thread.worker.terminate();
    if (thread.task) this.fail(thread.task, error);
    if (!this.closed) this.dispatch(thread.lane);
  }
}

const aborted = () => new DOMException("the job was aborted", "AbortError");

/** Whether no one waits for it any more: it failed, is done, or was told to stop. */
function hasEnded(task: Task): boolean {
  return task.settled || task.abortTimer !== undefined;
}

/** Whether a job stands still until its client sends or reads on: others need not wait for that. */
function isWaiting(task: Task): boolean {
  return (!task.ended && task.outstanding === 0) || isStalled(task);
}

function isStalled(task: Task): boolean {
  return task.unread > WINDOW_BYTES;
}
