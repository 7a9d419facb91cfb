import type { JobContext } from "../../../workers/job.ts";
import { bunzipped } from "./bunzip.ts";
import { unxzipped } from "./xz.ts";

export interface Unpacking {
  readonly packing: "bzip2" | "xz";
  readonly maxBytes: number;
}

/** Decompresses the input stream, which is untrusted. */
export async function run(how: Unpacking, { emit, input, signal }: JobContext): Promise<void> {
  for await (const chunk of unpackedBytes(input, how)) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}

/** The same for code already running in a worker. */
export const unpackedBytes = (
  input: AsyncIterable<Uint8Array>,
  { maxBytes, packing }: Unpacking,
): AsyncGenerator<Uint8Array<ArrayBuffer>> => (packing === "bzip2" ? bunzipped(input, maxBytes) : unxzipped(input));
