import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Schedules } from "../../jobs/schedules.ts";
import type { Log } from "../../kernel/log.ts";
import type { RepoService } from "../../repos/service.ts";
import { reposWithObjects } from "../store.ts";
import type { LfsPointers } from "./service.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Removes objects that no pointer names from their repositories. */
    "lfs.cleanup": object;
  }
}

export interface CleanupParts {
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly pointers: LfsPointers;
  readonly repos: RepoService;
  readonly schedules: Schedules;
}

const BATCH = 100;

/** Every night, if enabled (contract identity.md 15: `gc_lfs`). @param days 0: never */
export function cleanUpEveryNight({ db, jobs, log, pointers, repos, schedules }: CleanupParts, days: number): void {
  jobs.handle("lfs.cleanup", {
    parse: () => ({}),
    run: async (_, { signal }) => {
      let removed = 0;
      for (let after = 0, some = days > 0 ? reposWithObjects(db, after, BATCH) : []; some.length > 0; ) {
        for (const id of some) {
          signal.throwIfAborted();
          const repo = repos.byId(id);
          if (repo) removed += await pointers.cleanUp(repo, days * 86_400_000);
        }
        after = some.at(-1) ?? 0;
        some = reposWithObjects(db, after, BATCH);
      }
      if (removed > 0) log.info("large files that nothing names were removed", { objects: removed });
    },
    maxTries: 3,
  });
  schedules.add({ name: "gc_lfs", cron: "15 5 * * *", kind: "lfs.cleanup", payload: {}, removesByAge: true });
}
