/** The messages between the main thread and a worker. A worker runs one job at a time. */

export type ToWorker =
  /**
   * The first message: the thread's number, its table of open files, the flag that tells its job to stop, the lock for
   * large objects, and how much it may cache.
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
  /** The caller has consumed this many of the emitted bytes. */
  | { kind: "credit"; bytes: number }
  /** The job is to stop; `stop` signals the same to a job in the middle of synchronous work. */
  | { kind: "abort" };

export type FromWorker =
  | { kind: "ready" }
  | { kind: "chunk"; chunk: Uint8Array }
  | { kind: "note"; note: string }
  /** The job has consumed this many of the bytes streamed in. */
  | { kind: "credit"; bytes: number }
  | { kind: "done"; result: unknown }
  | { kind: "failed"; error: { name: string; message: string; stack?: string; fields: Record<string, unknown> } };

/** Bytes in transit in one direction before the sender must wait. */
export const WINDOW_BYTES = 1024 * 1024;
