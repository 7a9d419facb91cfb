import type { JobContext } from "../../workers/job.ts";
import { type Consolidated, consolidate } from "./consolidate.ts";

/** Rolls up small packs and loose objects of a bare repository; undefined when there was nothing to gain. */
export function run(input: { repoDir: string }, { signal, crash }: JobContext): Consolidated | undefined {
  return consolidate(input.repoDir, { signal, crashPoint: crash });
}
