import type { ItemImports } from "../issues/imports/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { OutsideAccounts } from "../sources/accounts.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Attributes imported items to people who have since signed in here with their account on the other forge. */
    "imports.find-authors": Record<string, never>;
  }
}

/** Runs the attribution of imported items to newly linked accounts, every night (contract identity.md 15.2). */
export function findAuthors(
  { jobs, schedules }: { readonly jobs: JobQueue; readonly schedules: Schedules },
  { itemImports, outsideAccounts }: { readonly itemImports: ItemImports; readonly outsideAccounts: OutsideAccounts },
): void {
  jobs.handle("imports.find-authors", {
    parse: () => ({}),
    maxTries: 3,
    run: async (_, { signal }) => {
      for (const author of outsideAccounts.numbered())
        while (itemImports.giveTo(author)) {
          signal.throwIfAborted();
          await nextTurn();
        }
    },
  });
  schedules.add({ name: "update_migration_poster_id", cron: "@daily", kind: "imports.find-authors", payload: {} });
}
