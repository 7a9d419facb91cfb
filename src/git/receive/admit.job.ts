import type { JobContext } from "../../workers/job.ts";
import { admit, type Quarantined } from "./quarantine.ts";

/** Moves a verified pack into the store, durably; a job because flushing a pack is slow. @throws the system's error */
export async function run(pack: Quarantined, context: JobContext): Promise<void> {
  admit(pack, context.crash);
}
