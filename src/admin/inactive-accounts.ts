import { operator } from "../access/principal.ts";
import type { EmailConfirmation } from "../identity/confirmation/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { Clock } from "../kernel/clock.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { AdminService } from "./service.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes accounts that were registered and never confirmed. */
    "accounts.delete-inactive": Record<string, never>;
  }
}

const DAY_MS = 86_400_000;
const DAYS = 7;
const AT_ONCE = 100;

/**
 * Deletes accounts that have waited a week for their mailed link to be followed, when an administrator runs it
 * (contract identity.md 15.2). Accounts that administrators deactivated, or that own something, stay.
 */
export function deleteInactiveAccounts(
  { clock, jobs, schedules }: { readonly clock: Clock; readonly jobs: JobQueue; readonly schedules: Schedules },
  { admin, confirmation }: { readonly admin: AdminService; readonly confirmation: EmailConfirmation },
): void {
  jobs.handle("accounts.delete-inactive", {
    parse: () => ({}),
    maxTries: 3,
    run: async (_, { progress, signal }) => {
      const before = clock() - DAYS * DAY_MS;
      let deleted = 0;
      for (let after = 0; ; ) {
        const users = confirmation.awaitedSince(before, after, AT_ONCE);
        for (const user of users) {
          signal.throwIfAborted();
          after = user.id;
          try {
            await admin.deleteUser(operator, user, { purge: false });
            progress(`${++deleted} accounts`);
          } catch (error) {
            if (!(error instanceof ValidationFailed)) throw error;
          }
        }
        if (users.length < AT_ONCE) return;
      }
    },
  });
  schedules.add({
    name: "delete_inactive_accounts",
    cron: "@yearly",
    kind: "accounts.delete-inactive",
    payload: {},
    isManual: true,
  });
}
