import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { Failure, TooLarge, ValidationFailed } from "../kernel/errors.ts";

/** Reads `multipart/form-data`: fields into memory within limits, files as streams with backpressure. */

export interface MultipartLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** All fields together, names and values. */
  readonly maxFieldBytes: number;
  /** Fields that are files although they come without a file name; the field's name is used instead. */
  readonly fileFields?: readonly string[];
}

/** A file being received. */
export interface FilePart {
  /** The name of the form field. */
  readonly field: string;
  /** The sender's file name, without directories. Untrusted like everything else here. */
  readonly name: string;
  /** Must be read to the end; fails if the upload breaks off or is too large. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface ReceivedFile<File> {
  readonly field: string;
  readonly name: string;
  readonly file: File;
}

export interface Multipart<File> extends Disposable {
  /** Names and values in the order they arrived. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly ReceivedFile<File>[];
}

/** Fields are parts, too; none of our forms has this many. */
const MAX_PARTS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Limit for the boundaries, headers and line ends of a form in total. */
const MAX_FRAME_BYTES = 256 * 1024;

/**
 * Reads the form of a request. A file input that was left empty is not a file.
 * @param body the body, without content encoding
 * @param receive stores one file; its result is disposed of if a later part fails, and with the form
 * @throws TooLarge `form.too-large`, `form.too-many-files`; ValidationFailed `[]: …` if it is not a form or not UTF-8;
 *   what `receive` throws. Nothing received is kept in that case.
 */
export async function readMultipart<File extends Disposable>(
  body: ReadableStream<Uint8Array>,
  contentType: string,
  limits: MultipartLimits,
  receive: (part: FilePart) => Promise<File>,
): Promise<Multipart<File>> {
  const form = new FormReader(limits, receive);
  try {
    await form.read(body, await makeParser(contentType));
    return form;
  } catch (error) {
    form[Symbol.dispose]();
    if (error instanceof Failure) throw error;
    throw isDisk(error) ? error : new ValidationFailed("form.unreadable");
  }
}

/** Disk errors are reported as such, even if the form is broken as well. */
const isDisk = (error: unknown): boolean => error instanceof Error && "syscall" in error;

async function makeParser(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import("@fastify/busboy");
  return Busboy({
    headers: { "content-type": contentType },
    // Fields arrive as bytes, too, so that nothing is stored that was not sent: the parser would replace invalid UTF-8.
    isPartAFile: () => true,
    limits: { parts: MAX_PARTS, headerPairs: 100, headerSize: MAX_HEADER_BYTES },
  });
}

class FormReader<File extends Disposable> implements Multipart<File> {
  readonly fields: (readonly [string, string])[] = [];
  readonly files: ReceivedFile<File>[] = [];
  private readonly parts: Promise<void>[] = [];
  private current: BusboyFileStream | undefined;
  private fileCount = 0;
  private fieldBytes = 0;

  constructor(
    private readonly limits: MultipartLimits,
    private readonly receive: (part: FilePart) => Promise<File>,
  ) {}

  [Symbol.dispose](): void {
    for (const { file } of this.files) file[Symbol.dispose]();
  }

  async read(body: ReadableStream<Uint8Array>, parser: BusboyInstance): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const finished = Promise.withResolvers<void>();
    failed.promise.catch(() => {});
    parser.on("file", (field: string | undefined, stream: BusboyFileStream, name: string | undefined) => {
      this.current = stream;
      // The reader gets its errors; a stream that nobody reads any more must not crash the process.
      stream.on("error", () => {});
      const part = this.take(field ?? "", stream, name);
      part.catch((error) => {
        failed.reject(error);
        stream.resume();
      });
      this.parts.push(part);
    });
    parser.on("partsLimit", () => failed.reject(new TooLarge("form.too-many-parts", { params: { max: MAX_PARTS } })));
    parser.on("error", (error) => failed.reject(error));
    parser.on("finish", () => finished.resolve());
    try {
      await this.feed(body, parser, failed.promise);
      await Promise.race([finished.promise, failed.promise]);
      await Promise.all(this.parts);
    } catch (error) {
      this.current?.destroy(error instanceof Error ? error : new Error(String(error)));
      parser.on("error", () => {});
      // Files still being received fail with this error before any of them is disposed of.
      await Promise.allSettled(this.parts);
      throw error;
    }
  }

  private async feed(body: ReadableStream<Uint8Array>, parser: BusboyInstance, failed: Promise<never>): Promise<void> {
    const { maxFiles, maxFileBytes, maxFieldBytes } = this.limits;
    const maxBytes = maxFiles * maxFileBytes + maxFieldBytes + MAX_FRAME_BYTES;
    let size = 0;
    const reader = body.getReader();
    try {
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), failed]);
        if (done) break;
        size += value.byteLength;
        if (size > maxBytes) throw new TooLarge("form.too-large", { params: { maxBytes } });
        if (!parser.write(value)) {
          const drained = new Promise<void>((resolve) => parser.once("drain", resolve));
          await Promise.race([drained, failed]);
        }
      }
      parser.end();
    } catch (error) {
      await reader.cancel(error).catch(() => {});
      throw error;
    }
  }

  private async take(field: string, stream: BusboyFileStream, sentName: string | undefined): Promise<void> {
    const name = sentName ?? (this.limits.fileFields?.includes(field) ? field : undefined);
    if (name === undefined) {
      const { maxFieldBytes } = this.limits;
      const tooLarge = () => new TooLarge("form.too-large", { params: { maxBytes: maxFieldBytes } });
      this.fieldBytes += Buffer.byteLength(field);
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytesOf(stream)) {
        this.fieldBytes += chunk.byteLength;
        if (this.fieldBytes > maxFieldBytes) throw tooLarge();
        chunks.push(chunk);
      }
      if (this.fieldBytes > maxFieldBytes) throw tooLarge();
      this.fields.push([field, decodeText(Buffer.concat(chunks))]);
      return;
    }
    if (name === "") {
      for await (const chunk of bytesOf(stream))
        if (chunk.byteLength > 0) throw new ValidationFailed("form.file-without-name");
      return;
    }
    const { maxFiles } = this.limits;
    if (++this.fileCount > maxFiles) throw new TooLarge("form.too-many-files", { params: { maxFiles } });
    const file = await this.receive({ field, name, bytes: bytesOf(stream, this.limits.maxFileBytes) });
    this.files.push({ field, name, file });
  }
}

/** @throws TooLarge after more than `maxBytes` */
async function* bytesOf(stream: BusboyFileStream, maxBytes = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<unknown> = stream;
  let size = 0;
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new Error("a part gave something else than bytes");
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLarge("form.too-large", { params: { maxBytes } });
    yield chunk;
  }
}

/** @throws ValidationFailed if it is not UTF-8 */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ValidationFailed("request.body-not-utf8");
  }
}
