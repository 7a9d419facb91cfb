import { heapSize } from "bun:jsc";
import { crashPoints } from "../kernel/crash.ts";
import { noteDescriptorsIn } from "./descriptors.ts";
import { Exclusive } from "./exclusive.ts";
import type { JobContext } from "./job.ts";
import { type JobName, jobs } from "./jobs.ts";
import { type FromWorker, type ToWorker, WINDOW_BYTES } from "./messages.ts";
import { StopSignal } from "./stop-signal.ts";
import { ThreadCache } from "./thread-cache.ts";

/** The worker's side: runs one job at a time, with credit-based flow control in both directions. */

declare const self: Worker;

interface Running {
  stop: StopSignal;
  inbox: Uint8Array[];
  ended: boolean;
  wakeReader: (() => void) | undefined;
  outstanding: number;
  wakeWriter: (() => void) | undefined;
}

let running: Running | undefined;
/** Set by the pool while the running job is to stop. */
let stopFlag: Int32Array = new Int32Array(1);

let largeObjects = new Exclusive(new Int32Array(1), 1);

const crash = crashPoints(process.env["HEARTH_CRASH_AT"]);

/** Two repositories: the one being examined, and the one it is compared with. */
const cache = new ThreadCache(2);

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, transfer);

async function* inputOf(job: Running): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = job.inbox.shift();
    if (chunk) {
      const bytes = chunk.byteLength;
      yield chunk;
      post({ kind: "credit", bytes });
      continue;
    }
    if (job.stop.signal.aborted) throw new DOMException("the caller went away", "AbortError");
    if (job.ended) return;
    await new Promise<void>((wake) => {
      job.wakeReader = wake;
    });
    job.wakeReader = undefined;
  }
}

function contextOf(job: Running): JobContext {
  return {
    signal: job.stop.signal,
    input: inputOf(job),
    crash,
    takeLargeObjects: () => largeObjects.take(job.stop.signal),
    cached: (kind, name) => cache.get(kind, name),
    tell: (note) => post({ kind: "note", note }),
    async emit(chunk) {
      if (job.stop.signal.aborted) throw new DOMException("the caller went away", "AbortError");
      job.outstanding += chunk.byteLength;
      const whole = chunk.byteOffset === 0 && chunk.byteLength === chunk.buffer.byteLength;
      post({ kind: "chunk", chunk }, whole ? [chunk.buffer] : []);
      while (job.outstanding > WINDOW_BYTES && !job.stop.signal.aborted) {
        await new Promise<void>((wake) => {
          job.wakeWriter = wake;
        });
      }
    },
  };
}

/** A job this long leaves more garbage than the next job should start with, in this thread or in another. */
const LONG_JOB_MS = 500;

function tidy(began: number): void {
  if (performance.now() - began > LONG_JOB_MS) Bun.gc(true);
  largeObjects.release();
}

/**
 * The runtime lets each thread's heap grow to several times its live size before it collects garbage, and there are a
 * dozen threads. The garbage of many short jobs is collected once the answer has been sent.
 */
const GARBAGE_BYTES = 16 * 1024 * 1024;
/** Small objects are not counted before a collection, so this much working time also triggers one. */
const GARBAGE_MS = 100;
let aliveBytes = heapSize();
let workedMs = 0;

function collectGarbage(): void {
  if (workedMs < GARBAGE_MS && heapSize() - aliveBytes < GARBAGE_BYTES) return;
  Bun.gc(true);
  aliveBytes = heapSize();
  workedMs = 0;
}

async function start(name: string, input: unknown): Promise<void> {
  const began = performance.now();
  const job: Running = {
    stop: new StopSignal(stopFlag),
    inbox: [],
    ended: false,
    wakeReader: undefined,
    outstanding: 0,
    wakeWriter: undefined,
  };
  running = job;
  try {
    const load = jobs[name as JobName];
    if (!load) throw new Error(`no such job: ${name}`);
    const { run } = (await load()) as { run(input: unknown, context: JobContext): unknown };
    const result = await run(input, contextOf(job));
    tidy(began);
    post({ kind: "done", result });
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    tidy(began);
    const { name: errorName, message, stack, ...fields } = failure;
    post({
      kind: "failed",
      error: {
        name: failure.name ?? errorName,
        message: failure.message ?? message,
        stack: failure.stack ?? stack,
        fields,
      },
    });
  } finally {
    running = undefined;
    workedMs += performance.now() - began;
    collectGarbage();
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.kind === "shared") {
    noteDescriptorsIn(message.descriptors);
    stopFlag = message.stop;
    largeObjects = new Exclusive(message.largeObjects, message.thread);
    cache.capacityBytes = message.cacheBytes ?? cache.capacityBytes;
    return;
  }
  if (message.kind === "start") {
    void start(message.name, message.input);
    return;
  }
  if (!running) return;
  switch (message.kind) {
    case "chunk":
      running.inbox.push(message.chunk);
      running.wakeReader?.();
      break;
    case "end":
      running.ended = true;
      running.wakeReader?.();
      break;
    case "credit":
      running.outstanding -= message.bytes;
      running.wakeWriter?.();
      break;
    case "abort":
      running.stop.abort();
      running.wakeReader?.();
      running.wakeWriter?.();
      break;
  }
};

post({ kind: "ready" });
