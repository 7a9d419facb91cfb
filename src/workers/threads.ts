import type { CacheBudget } from "../kernel/cache.ts";
import { closeLeftOpen, makeDescriptorTable } from "./descriptors.ts";
import { Exclusive } from "./exclusive.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import type { Lane, Thread } from "./task.ts";

export interface ThreadOptions {
  /** Whether a thread may be started now; if not, called again a little later. A thread needs file descriptors. */
  mayStartThread?(): boolean;
  /** The memory of which each thread borrows a part for its caches; without it threads cache as much as they like. */
  readonly caches?: CacheBudget;
  /** An idle thread ends after this long, so that an idle server has none. */
  readonly idleMs: number;
}

/** Callbacks to the owner of the threads. */
export interface ThreadEvents {
  onMessage(thread: Thread, message: FromWorker): void;
  /** Called once for each thread, however it ended. */
  onEnd(thread: Thread, error: unknown): void;
  /** A thread can be started now, after this was last refused. */
  onRoom(lane: Lane): void;
}

/** Maximum threads of a lane: how many slow clients there can be before others must wait for them. */
const MAX_THREADS = 48;
/** A push holds memory while its client sends, so fewer of them. */
const MAX_PUSH_THREADS = 16;
const START_RETRY_MS = 100;
/** Nobody waits for these: the memory of one thread is freed before the next one grows. */
const SOLITARY: ReadonlySet<Lane> = new Set(["maintenance", "paced"]);
/** The memory of an ended thread returns to the system some seconds later. */
export const GIVEN_BACK_MS = 4_000;
/** A thread that hangs in the kernel is not waited for any longer. */
const END_TIMEOUT_MS = 3_000;
/** The share of the cache budget that a thread borrows for as long as it lives. */
const THREAD_CACHE_SHARE = 1 / 8;

/** The running threads, each belonging to one lane; started when needed and ended when idle. */
export class Threads implements Iterable<Thread> {
  private readonly alive = new Set<Thread>();
  /** Lanes whose last thread has been told to end but has not yet. */
  private readonly leaving = new Map<Lane, Thread>();
  /** When the memory of finished long work has been freed: threads of solitary lanes start no earlier. */
  private lightAgainAt = 0;
  private started = 0;
  private readonly largeObjects = new Int32Array(new SharedArrayBuffer(4));
  /** For lanes in which no thread could be started. */
  private readonly retryTimers: Partial<Record<Lane, ReturnType<typeof setTimeout>>> = {};

  constructor(
    private readonly options: ThreadOptions,
    private readonly events: ThreadEvents,
  ) {}

  [Symbol.iterator](): Iterator<Thread> {
    return this.alive.values();
  }

  idle(lane: Lane): Thread | undefined {
    for (const thread of this.alive) if (!thread.task && thread.lane === lane) return thread;
    return undefined;
  }

  /** Whether a thread is available for a new task, or may be started. */
  hasRoom(lane: Lane): boolean {
    if (this.idle(lane)) return true;
    if (this.leaving.has(lane)) return false;
    const heavyMs = this.lightAgainAt - performance.now();
    if (SOLITARY.has(lane) && heavyMs > 0) {
      this.retry(lane, heavyMs);
      return false;
    }
    let ofLane = 0;
    for (const thread of this.alive) if (thread.lane === lane) ofLane++;
    if (ofLane >= (lane === "pushes" ? MAX_PUSH_THREADS : MAX_THREADS)) return false;
    if (this.options.mayStartThread?.() !== false) return true;
    this.retry(lane, START_RETRY_MS);
    return false;
  }

  private retry(lane: Lane, afterMs: number): void {
    this.retryTimers[lane] ??= setTimeout(() => {
      delete this.retryTimers[lane];
      this.events.onRoom(lane);
    }, afterMs).unref();
  }

  start(lane: Lane): Thread {
    const worker = new Worker(new URL("./worker.ts", import.meta.url).href);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const number = ++this.started;
    const largeObjects = new Exclusive(this.largeObjects, number);
    const cacheLoan = this.options.caches?.lend(THREAD_CACHE_SHARE);
    const thread: Thread = { worker, largeObjects, lane, task: undefined, idleTimer: undefined, stop, cacheLoan };
    const descriptors = makeDescriptorTable();
    worker.postMessage({
      kind: "shared",
      thread: number,
      descriptors,
      stop,
      largeObjects: this.largeObjects,
      cacheBytes: cacheLoan?.bytes,
    } satisfies ToWorker);
    worker.addEventListener("close", () => {
      largeObjects.release();
      closeLeftOpen(descriptors);
      // In case it ended by itself.
      this.end(thread, new Error("the worker ended"));
      this.left(thread);
    });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.events.onMessage(thread, event.data);
    worker.onerror = (event) => {
      this.end(thread, new Error(`worker failed: ${event.message}`));
    };
    this.alive.add(thread);
    return thread;
  }

  /** Starts the idle timer; to be called before the thread may get another task. */
  rest(thread: Thread): void {
    thread.idleTimer = setTimeout(() => this.end(thread, new Error("the worker ended")), this.options.idleMs);
    thread.idleTimer.unref?.();
  }

  /**
   * @param error why its current job fails
   * @param isGrown whether long work has enlarged its memory
   */
  end(thread: Thread, error: unknown, isGrown = false): void {
    if (!this.alive.delete(thread)) return;
    if (isGrown) this.lightAgainAt = performance.now() + GIVEN_BACK_MS;
    clearTimeout(thread.idleTimer);
    thread.cacheLoan?.end();
    if (SOLITARY.has(thread.lane)) this.awaitEnd(thread);
    thread.worker.terminate();
    this.events.onEnd(thread, error);
  }

  private awaitEnd(thread: Thread): void {
    this.leaving.set(thread.lane, thread);
    setTimeout(() => this.left(thread), END_TIMEOUT_MS).unref?.();
  }

  private left(thread: Thread): void {
    if (this.leaving.get(thread.lane) !== thread) return;
    this.leaving.delete(thread.lane);
    this.events.onRoom(thread.lane);
  }
}
