import type { JobContext } from "../../../workers/job.ts";
import { bunzipped } from "./bunzip.ts";

/** Unpacks what is streamed in, which may be anything. */
export async function run(
  { maxBytes, packing }: { readonly packing: "bzip2" | "xz"; readonly maxBytes: number },
  { emit, input, signal }: JobContext,
): Promise<void> {
  const unpacked = packing === "bzip2" ? bunzipped(input, maxBytes) : await unxzipped(input);
  for await (const chunk of unpacked) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}

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
