import type { Database } from "../db/database.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { Clock } from "../kernel/clock.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { PackageCleanupRules } from "./cleanup-rules.ts";
import { deleteEmptyPackages, deleteEmptyUploads, deleteWaitingFiles } from "./cleanup-store.ts";
import { deleteUnusedBlobs } from "./files-store.ts";
import { deletePrivateIndices } from "./indices/store.ts";
import { deleteStaleUploads } from "./uploads-store.ts";

const CLEANUP = "packages.cleanup";
/** Rows of a transaction. */
const BATCH = 500;

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Takes away what of packages nobody needs any more. */
    "packages.cleanup": object;
  }
}

export interface CleanupParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly rules: PackageCleanupRules;
  readonly schedules: Schedules;
  /** Hours that what is left over stays. */
  readonly hours: number;
}

/** Takes away versions by the rules of their owners, and then uploads nobody finished, packages without versions and contents without files (contract packages.md 8). */
export class PackageCleanup {
  constructor(private readonly parts: CleanupParts) {
    const { jobs, schedules } = parts;
    jobs.handle(CLEANUP, { parse: () => ({}), run: (_, { signal }) => this.run(signal) });
    schedules.add({ name: "cleanup_packages", cron: "0 0 * * *", kind: CLEANUP, payload: {}, removesByAge: true });
  }

  /** Has it done soon. */
  enqueue(): void {
    this.parts.jobs.enqueue(CLEANUP, {}, { uniqueKey: CLEANUP });
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { clock, db, hours, rules } = this.parts;
    await rules.run(signal);
    const before = clock() - hours * 3_600_000;
    // What one step leaves is for the next.
    const steps = [
      deleteStaleUploads,
      deleteWaitingFiles,
      deleteEmptyUploads,
      deletePrivateIndices,
      deleteEmptyPackages,
      deleteUnusedBlobs,
    ];
    for (const step of steps)
      while (!signal.aborted && db.transaction(() => step(db, before, BATCH)) === BATCH) await nextTurn();
  }
}
