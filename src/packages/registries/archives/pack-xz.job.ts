import type { JobContext } from "../../../workers/job.ts";
import { xzipped } from "./xz.ts";

/** Compresses the input stream. */
export async function run(_input: object, { emit, input, signal }: JobContext): Promise<void> {
  for await (const chunk of xzipped(input)) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}
