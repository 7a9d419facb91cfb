import type { JobContext } from "../../../workers/job.ts";
import { xzipped } from "./xz.ts";

/** Packs what is streamed in. */
export async function run(_input: object, { emit, input, signal }: JobContext): Promise<void> {
  for await (const chunk of xzipped(input)) {
    signal.throwIfAborted();
    await emit(chunk);
  }
}
