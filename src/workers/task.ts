import type { CacheLoan } from "../kernel/cache.ts";
import type { Exclusive } from "./exclusive.ts";
import type { SharesAtWork } from "./fair-queue.ts";
import type { JobName } from "./jobs.ts";
import { type ToWorker, WINDOW_BYTES } from "./messages.ts";

/**
 * Work of a kind waits only for its own kind. bulk: fetches and other long streams; pushes: packs that are received;
 * interactive: what a page waits for; maintenance: what no one waits for; writes: short flushes to the disk that a commit waits for; paced: what
 * takes hours because it sleeps most of the time, one at a time, so that maintenance does not wait for it.
 */
export type Lane = "bulk" | "pushes" | "interactive" | "maintenance" | "writes" | "paced";

/** A job on its way, as the pool sees it. */
export interface Task {
  name: JobName;
  input: unknown;
  lane: Lane;
  readonly shares: readonly string[];
  /** Undefined: of no limit of its own. */
  readonly timeoutMs: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** `performance.now()` when a thread took it. */
  startedAt: number;
  /** Milliseconds at work, in lanes that have a limit of them (`WorkTime`). */
  workedMs: number;
  /** Why it was ended, when it took too long. */
  timedOut: Error | undefined;
  onNote: ((note: string) => void) | undefined;
  output: ReadableStreamDefaultController<Uint8Array>;
  outputClosed: boolean;
  thread: Thread | undefined;
  /** What its thread is to hear once the task is at work. */
  early: ToWorker[];
  /** It waits in the lane's queue: for a thread, or in its thread for its turn, because input came. */
  queued: boolean;
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

/** What is said of a task when it is made. */
type TaskBeginning = Pick<
  Task,
  "name" | "input" | "lane" | "shares" | "timeoutMs" | "onNote" | "output" | "result" | "resolve" | "reject"
>;

/** A task that nothing has happened to. */
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

/** What the caller streams in. */
export type TaskInput = Extract<ToWorker, { kind: "chunk" | "end" }>;

/** A thread of a lane, and its job. */
export interface Thread {
  worker: Worker;
  /** What it may have of all threads' memory for large objects. */
  largeObjects: Exclusive;
  lane: Lane;
  task: Task | undefined;
  idleTimer: ReturnType<typeof setTimeout> | undefined;
  /** Shared with the thread: not zero while its job is to stop. */
  stop: Int32Array;
  readonly cacheLoan: CacheLoan | undefined;
}

/** Sends; the bytes of a chunk go over to the thread. */
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

/** Whether no one waits for it any more: it failed, is done, or was told to stop. */
export function hasEnded(task: Task): boolean {
  return task.settled || task.abortTimer !== undefined;
}

/** Whether a job stands still until its client sends or reads on: others need not wait for that. */
export function isWaiting(task: Task): boolean {
  return (!task.ended && task.outstanding === 0) || isStalled(task);
}

export function isStalled(task: Task): boolean {
  return task.unread > WINDOW_BYTES;
}
