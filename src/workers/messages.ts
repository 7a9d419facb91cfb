/** What the main thread and a worker say to each other. One job at a time runs in a worker. */

export type ToWorker =
  /**
   * The first message: the thread's number, where it notes its open files, where it reads that its job is to stop, the
   * word of the one that has large objects in memory, and what it may cache.
   */
  | {
      kind: "shared";
      thread: number;
      descriptors: Uint8Array;
      stop: Int32Array;
      largeObjects: Int32Array;
      cacheBytes: number | undefined;
    }
  | { kind: "start"; name: string; input: unknown }
  | { kind: "chunk"; chunk: Uint8Array }
  | { kind: "end" }
  /** The caller has taken this many of the bytes emitted. */
  | { kind: "credit"; bytes: number }
  /** The job is to stop; `stop` says so too, to one that is in the middle of synchronous work. */
  | { kind: "abort" };

export type FromWorker =
  | { kind: "ready" }
  | { kind: "chunk"; chunk: Uint8Array }
  | { kind: "note"; note: string }
  /** The job has taken this many of the bytes streamed in. */
  | { kind: "credit"; bytes: number }
  | { kind: "done"; result: unknown }
  | { kind: "failed"; error: { name: string; message: string; stack?: string; fields: Record<string, unknown> } };

/** Bytes that may be under way in one direction before the sender waits. */
export const WINDOW_BYTES = 1024 * 1024;
