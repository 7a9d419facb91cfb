import type { JobContext } from "../../../workers/job.ts";
import { bunzipped } from "./bunzip.ts";

export interface Unpacking {
  readonly packing: "bzip2" | "xz";
  readonly maxBytes: number;
}

/** Unpacks what is streamed in, which may be anything. */
export async function run(how: Unpacking, { emit, input, signal }: JobContext): Promise<void> {
  for await (const chunk of await unpackedBytes(input, how)) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}

/** The same for whoever is in a worker. */
export const unpackedBytes = async (
  input: AsyncIterable<Uint8Array>,
  { maxBytes, packing }: Unpacking,
): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> =>
  packing === "bzip2" ? bunzipped(input, maxBytes) : unxzipped(input);

async function unxzipped(input: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> {
  const { XzReadableStream } = await import("xz-decompress");
  const iterator = input[Symbol.asyncIterator]();
  const packed = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new XzReadableStream(packed) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
