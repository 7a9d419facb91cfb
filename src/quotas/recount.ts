import type { Database } from "../db/database.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { Log } from "../kernel/log.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import { recountAccounts, recountRepositories } from "./store.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** What repositories and accounts use is counted again. */
    "quotas.recount": object;
  }
}

/** Of one transaction: others have to be answered meanwhile. */
const SLICE = 100;

/** What is used is counted as rows come and go; every night it is compared with the rows. */
export function recountEveryNight(db: Database, jobs: JobQueue, schedules: Schedules, log: Log): void {
  jobs.handle("quotas.recount", {
    parse: () => ({}),
    run: async (_, { signal }) => {
      for (let after: number | undefined = 0; after !== undefined; await nextTurn()) {
        signal.throwIfAborted();
        const from: number = after;
        after = db.transaction(() => recountRepositories(db, from, SLICE));
      }
      let wrong = 0;
      for (let after: number | undefined = 0; after !== undefined; await nextTurn()) {
        signal.throwIfAborted();
        const from: number = after;
        const counted = db.transaction(() => recountAccounts(db, from, SLICE));
        wrong += counted?.wrong ?? 0;
        after = counted?.last;
      }
      if (wrong > 0) log.warn("what accounts use was counted wrong", { accounts: wrong });
    },
    maxTries: 3,
  });
  schedules.add({ name: "check_repo_stats", cron: "0 0 * * *", kind: "quotas.recount", payload: {} });
}
