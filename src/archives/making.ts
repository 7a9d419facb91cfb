import type { FileHandle } from "node:fs/promises";
import type { ByteRange } from "../http/range.ts";

const READ_BYTES = 256 * 1024;

/** What is read while it is still being written, or afterwards. */
export interface ReadableArchive {
  /** Undefined while it is being made. */
  readonly sizeBytes: number | undefined;
  /** Resolves with the size once all of it is there. @throws what ended the making */
  complete(): Promise<number>;
  /** Its bytes at the reader's pace; those of an archive that is being made come as they are written. */
  read(range?: ByteRange): ReadableStream<Uint8Array> | Blob;
  /** To be called by whoever opened it and reads nothing of it. */
  release(): void;
}

/** What a worker emits, and how it is told to stop. */
export interface MakingSource {
  readonly output: ReadableStream<Uint8Array>;
  readonly result: Promise<unknown>;
  abort(): void;
}

/**
 * A file that is being made: written at the worker's pace, so that no client holds a thread, and read by any number of
 * clients at theirs. When the last reader has gone before the end, the making is broken off.
 */
export class Making {
  private written = 0;
  private state: "running" | "complete" | "failed" = "running";
  private isBrokenOff = false;
  private failure: unknown;
  private readers = 0;
  private changed = Promise.withResolvers<void>();
  /** Settles when nothing is written any more. */
  readonly ended: Promise<void>;

  /**
   * @param handle open for reading and writing; closed when the last reader has gone
   * @param onComplete runs when all is written, before readers are told of the end
   * @param onFailure runs when it ends before that, unless it was broken off: all that readers see is a download cut short
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

  /** Another reader; undefined when it failed, or is being broken off because everyone has gone. */
  join(): ReadableArchive | undefined {
    if (this.state === "failed" || this.readers === 0) return undefined;
    this.readers++;
    return this.reader();
  }

  /** For whoever began it. Resolves when there are bytes to be read. @throws what ended the making before that */
  async first(): Promise<ReadableArchive> {
    while (this.written === 0 && this.state === "running") await this.changed.promise;
    if (this.state === "failed") {
      await this.leave();
      throw this.failure;
    }
    return this.reader();
  }

  /** Breaks it off: the server stops. */
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

/** A file that is whole. */
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

/** @param available resolves with how many bytes there are, once there is one at the position or there will be none */
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
