import type { CacheLoan } from "../kernel/cache.ts";
import type { Exclusive } from "./exclusive.ts";
import type { SharesAtWork } from "./fair-queue.ts";
import type { JobName } from "./jobs.ts";
import { type ToWorker, WINDOW_BYTES } from "./messages.ts";

/**
 * Work of one kind waits only for its own kind. bulk: fetches and other long streams; pushes: packs being received;
 * interactive: work that a page waits for; maintenance: work that nobody waits for; writes: short flushes to disk that
 * a commit waits for; paced: work that takes hours because it mostly sleeps, one job at a time, so that maintenance
 * does not wait for it.
 */
export type Lane = "bulk" | "pushes" | "interactive" | "maintenance" | "writes" | "paced";

/** A job in progress, as the pool sees it. */
export interface Task {
  name: JobName;
  input: unknown;
  lane: Lane;
  readonly shares: readonly string[];
  /** Undefined: no limit of its own. */
  readonly timeoutMs: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** `performance.now()` when a thread took it. */
  startedAt: number;
  /** Milliseconds at work, in lanes that limit them (`WorkTime`). */
  workedMs: number;
  /** Set when it was ended for taking too long. */
  timedOut: Error | undefined;
  onNote: ((note: string) => void) | undefined;
  output: ReadableStreamDefaultController<Uint8Array>;
  outputClosed: boolean;
  thread: Thread | undefined;
  /** Messages to send to its thread once the task is running. */
  early: ToWorker[];
  /** It is in the lane's queue: waiting for a thread, or for its turn in its thread because input has arrived. */
  queued: boolean;
  /** No more input will come. */
  ended: boolean;
  /** Bytes sent in that the job has not consumed yet. */
  outstanding: number;
  /** Bytes emitted that the reader has not consumed yet. */
  unread: number;
  /** Runs while the job is blocked because nobody reads. */
  stallTimer: ReturnType<typeof setTimeout> | undefined;
  wakeSender: (() => void) | undefined;
  /** It has been told to stop, and its thread is terminated when this timer fires. */
  abortTimer: ReturnType<typeof setTimeout> | undefined;
  settled: boolean;
  readonly result: Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The fields given when a task is created. */
type TaskBeginning = Pick<
  Task,
  "name" | "input" | "lane" | "shares" | "timeoutMs" | "onNote" | "output" | "result" | "resolve" | "reject"
>;

/** A task that has not been started. */
export function newTask(beginning: TaskBeginning): Task {
  return {
    ...beginning,
    timer: undefined,
    startedAt: 0,
    workedMs: 0,
    timedOut: undefined,
    outputClosed: false,
    thread: undefined,
    early: [],
    queued: false,
    ended: false,
    outstanding: 0,
    unread: 0,
    stallTimer: undefined,
    wakeSender: undefined,
    abortTimer: undefined,
    settled: false,
  };
}

/** The input that the caller streams in. */
export type TaskInput = Extract<ToWorker, { kind: "chunk" | "end" }>;

/** A thread of a lane, and its current job. */
export interface Thread {
  worker: Worker;
  /** Its hold on the lock for large objects, shared by all threads. */
  largeObjects: Exclusive;
  lane: Lane;
  task: Task | undefined;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Shared with the thread: nonzero while its job is to stop. */
  stop: Int32Array;
  readonly cacheLoan: CacheLoan | undefined;
}

/** Sends a message; the buffer of a chunk is transferred to the thread. */
export function post({ worker }: Thread, message: ToWorker): void {
  if (message.kind === "chunk" && message.chunk.byteLength === message.chunk.buffer.byteLength)
    worker.postMessage(message, [message.chunk.buffer as ArrayBuffer]);
  else worker.postMessage(message);
}

export const aborted = () => new DOMException("the job was aborted", "AbortError");

export function sharesAtWork(tasks: readonly Task[]): SharesAtWork {
  const counts = new Map<string, number>();
  for (const { shares } of tasks) for (const share of shares) counts.set(share, (counts.get(share) ?? 0) + 1);
  return counts;
}

/** Whether nobody waits for it any more: it failed, is done, or was told to stop. */
export function hasEnded(task: Task): boolean {
  return task.settled || task.abortTimer !== undefined;
}

/** Whether a job is blocked until its client sends or reads more: others need not wait for that. */
export function isWaiting(task: Task): boolean {
  return (!task.ended && task.outstanding === 0) || isStalled(task);
}

export function isStalled(task: Task): boolean {
  return task.unread > WINDOW_BYTES;
}
