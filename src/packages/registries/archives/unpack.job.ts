import type { JobContext } from "../../../workers/job.ts";
import { bunzipped } from "./bunzip.ts";
import { unxzipped } from "./xz.ts";

/** Unpacks what is streamed in, which may be anything. */
export async function run(
  { maxBytes, packing }: { readonly packing: "bzip2" | "xz"; readonly maxBytes: number },
  { emit, input, signal }: JobContext,
): Promise<void> {
  const unpacked = packing === "bzip2" ? bunzipped(input, maxBytes) : unxzipped(input);
  for await (const chunk of unpacked) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}
