import type { FileHandle } from "node:fs/promises";
import type { ByteRange } from "../http/range.ts";

const READ_BYTES = 256 * 1024;

/** An archive that can be read while it is still being written, or afterwards. */
export interface ReadableArchive {
  /** undefined while it is being made. */
  readonly sizeBytes: number | undefined;
  /** Resolves with the size once it is complete. @throws what ended the making */
  complete(): Promise<number>;
  /** Its bytes at the reader's pace; those of an unfinished archive come as they are written. */
  read(range?: ByteRange): ReadableStream<Uint8Array> | Blob;
  /** Must be called by openers that don't read it. */
  release(): void;
}

/** The output of a worker, and how to stop it. */
export interface MakingSource {
  readonly output: ReadableStream<Uint8Array>;
  readonly result: Promise<unknown>;
  abort(): void;
}

/**
 * A file being made: written at the worker's pace, so that no client holds up a thread, and read by any number of
 * clients at their own pace. If the last reader leaves before the end, it is aborted.
 */
export class Making {
  private written = 0;
  private state: "running" | "complete" | "failed" = "running";
  private isBrokenOff = false;
  private failure: unknown;
  private readers = 0;
  private changed = Promise.withResolvers<void>();
  /** Settles when writing has ended. */
  readonly ended: Promise<void>;

  /**
   * @param handle open for reading and writing; closed when the last reader has left
   * @param onComplete runs when everything is written, before readers learn of the end
   * @param onFailure runs if it ends before that, unless it was aborted: readers only see a truncated download
   */
  constructor(
    private readonly handle: FileHandle,
    private readonly source: MakingSource,
    private readonly onComplete: (sizeBytes: number) => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.readers = 1;
    this.ended = this.write();
  }

  /** Adds a reader; undefined if it failed, or is being aborted because everyone has left. */
  join(): ReadableArchive | undefined {
    if (this.state === "failed" || this.readers === 0) return undefined;
    this.readers++;
    return this.reader();
  }

  /**
   * For the caller that started it. Resolves when there are bytes to read.
   * @throws what ended the making before that
   */
  async first(): Promise<ReadableArchive> {
    while (this.written === 0 && this.state === "running") await this.changed.promise;
    if (this.state === "failed") {
      await this.leave();
      throw this.failure;
    }
    return this.reader();
  }

  /** Aborts it because the server is stopping. */
  abort(): void {
    this.isBrokenOff = true;
    this.source.abort();
  }

  private async write(): Promise<void> {
    try {
      for await (const chunk of this.source.output) {
        await this.writeAll(chunk);
        this.tell();
      }
      await this.source.result;
      await this.onComplete(this.written);
      this.state = "complete";
    } catch (error) {
      this.source.abort();
      this.state = "failed";
      this.failure = error;
      if (!this.isBrokenOff) this.onFailure(error);
    }
    this.tell();
    if (this.readers === 0) await this.handle.close();
  }

  private async writeAll(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; ) {
      const { bytesWritten } = await this.handle.write(chunk, from, chunk.length - from, this.written);
      from += bytesWritten;
      this.written += bytesWritten;
    }
  }

  private tell(): void {
    const { resolve } = this.changed;
    this.changed = Promise.withResolvers();
    resolve();
  }

  private async leave(): Promise<void> {
    this.readers--;
    if (this.readers > 0) return;
    if (this.state === "running") this.abort();
    else await this.handle.close();
  }

  private reader(): ReadableArchive {
    const release = onlyOnce(() => this.leave());
    const complete = async () => {
      while (this.state === "running") await this.changed.promise;
      if (this.state === "failed") throw this.failure;
      return this.written;
    };
    const available = async (position: number): Promise<number> => {
      while (this.written <= position && this.state === "running") await this.changed.promise;
      if (this.state === "failed") throw this.failure;
      return this.written;
    };
    return {
      get sizeBytes() {
        return undefined;
      },
      complete,
      read: (range) => streamOf(this.handle, range, available, release),
      release,
    };
  }
}

/** A complete file. */
export function wholeArchive(path: string, sizeBytes: number): ReadableArchive {
  const file = Bun.file(path);
  return {
    sizeBytes,
    complete: () => Promise.resolve(sizeBytes),
    read: (range) => (range ? file.slice(range.start, range.end + 1) : file),
    release: () => {},
  };
}

function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** @param available resolves with the number of bytes once there is one at the position, or there will be none */
function streamOf(
  handle: FileHandle,
  range: ByteRange | undefined,
  available: (position: number) => Promise<number>,
  release: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let position = range?.start ?? 0;
  const end = range === undefined ? Number.POSITIVE_INFINITY : range.end + 1;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const length = Math.min(READ_BYTES, end - position, (await available(position)) - position);
        if (length > 0) {
          const { bytesRead, buffer } = await handle.read(new Uint8Array(length), 0, length, position);
          if (bytesRead === 0) throw new Error("an archive became shorter while it was read");
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      await release();
    },
    cancel: release,
  });
}
