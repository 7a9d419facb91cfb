import type { JobContext } from "../workers/job.ts";
import { type CreateBackup, createBackup } from "./create.ts";
import type { Backup } from "./folder.ts";

/** Makes a backup in a worker. */
export async function run(
  input: Omit<CreateBackup, "crash" | "check">,
  { crash, signal }: Pick<JobContext, "crash" | "signal">,
): Promise<Backup> {
  return createBackup({ ...input, crash, check: () => signal.throwIfAborted() });
}
