import type { CacheBudget } from "../kernel/cache.ts";
import { closeLeftOpen, makeDescriptorTable } from "./descriptors.ts";
import { Exclusive } from "./exclusive.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import type { Lane, Thread } from "./task.ts";

export interface ThreadOptions {
  /** Whether a thread may be started now; when not, it is asked again a little later. A thread needs files to be opened. */
  mayStartThread?(): boolean;
  /** The memory of which each thread is lent a part for what it caches; without it threads cache as much as they like. */
  readonly caches?: CacheBudget;
  /** An idle thread ends after this long, so that an idle server holds none. */
  readonly idleMs: number;
}

/** What the owner of the threads hears of them. */
export interface ThreadEvents {
  onMessage(thread: Thread, message: FromWorker): void;
  /** Once for each thread, however it ended. */
  onEnd(thread: Thread, error: unknown): void;
  /** A thread may be started now, which was not so when it was asked last. */
  onRoom(lane: Lane): void;
}

/** Threads of a lane in all: so many clients may be slow at once before others have to wait for them. */
const MAX_THREADS = 48;
/** A push holds memory while its client sends: fewer of them. */
const MAX_PUSH_THREADS = 16;
const START_RETRY_MS = 100;
/** No one waits for these: what a thread had grown to is given back before the next one grows. */
const SOLITARY: ReadonlySet<Lane> = new Set(["maintenance", "paced"]);
/** What ended threads had grown to goes back to the system some seconds later. */
export const GIVEN_BACK_MS = 4_000;
/** One that hangs in the system is not waited for. */
const END_TIMEOUT_MS = 3_000;
/** Of the memory for caches, for as long as the thread lives. */
const THREAD_CACHE_SHARE = 1 / 8;

/** The threads that are alive, each of one lane, started when needed and ended when idle. */
export class Threads implements Iterable<Thread> {
  private readonly alive = new Set<Thread>();
  /** Lanes whose last thread was told to end, and has not. */
  private readonly leaving = new Map<Lane, Thread>();
  /** When what long work had grown to is given back: those that no one waits for begin later. */
  private lightAgainAt = 0;
  private started = 0;
  private readonly largeObjects = new Int32Array(new SharedArrayBuffer(4));
  /** Where no thread could be started. */
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

  /** Whether there is a thread for a new task, or may be. */
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
      // One that ended by itself.
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

  /** It has nothing to do; to be called before it may get another task. */
  rest(thread: Thread): void {
    thread.idleTimer = setTimeout(() => this.end(thread, new Error("the worker ended")), this.options.idleMs);
    thread.idleTimer.unref?.();
  }

  /**
   * @param error why what it was at fails
   * @param isGrown by long work
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
