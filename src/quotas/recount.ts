import type { Database } from "../db/database.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { Log } from "../kernel/log.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import { recountAccounts, recountRepositories } from "./store.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Recounts the usage of repositories and accounts. */
    "quotas.recount": object;
  }
}

/** Per transaction: others need answers in between. */
const SLICE = 100;

/** Usage is updated as rows are added and removed; every night it is checked against the rows. */
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
