import { unlinkSync } from "node:fs";
import { closeFile, openFile } from "./descriptors.ts";
import type { JobContext } from "./job.ts";

/** How it notices an abort: `polls` in synchronous work, `waits` at an await, `is stalled` not at all. */
export type HoldManner = "polls" | "waits" | "is stalled";

/** Creates the lock file at `path`, reports that with a note, and removes it when aborted. */
export async function run(input: { readonly path: string; readonly manner: HoldManner }, context: JobContext) {
  const fd = openFile(input.path, "wx");
  try {
    context.tell("held");
    while (input.manner === "is stalled") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    if (input.manner === "waits")
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
    for (;;) context.signal.throwIfAborted();
  } finally {
    closeFile(fd);
    unlinkSync(input.path);
    context.tell("given up");
  }
}
