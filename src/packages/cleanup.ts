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
/** Rows per transaction. */
const BATCH = 500;

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes package data that is no longer needed. */
    "packages.cleanup": object;
  }
}

export interface CleanupParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly rules: PackageCleanupRules;
  readonly schedules: Schedules;
  /** Hours before leftovers are deleted. */
  readonly hours: number;
}

/**
 * Deletes versions by their owners' rules, then unfinished uploads, packages without versions and contents without
 * files (contract packages.md 8).
 */
export class PackageCleanup {
  constructor(private readonly parts: CleanupParts) {
    const { jobs, schedules } = parts;
    jobs.handle(CLEANUP, { parse: () => ({}), run: (_, { signal }) => this.run(signal) });
    schedules.add({ name: "cleanup_packages", cron: "0 0 * * *", kind: CLEANUP, payload: {}, removesByAge: true });
  }

  /** Queues a cleanup. */
  enqueue(): void {
    this.parts.jobs.enqueue(CLEANUP, {}, { uniqueKey: CLEANUP });
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { clock, db, hours, rules } = this.parts;
    await rules.run(signal);
    const before = clock() - hours * 3_600_000;
    // Each step can leave work for the next.
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
