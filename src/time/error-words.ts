import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about tracked times (contract issues.md 15). */
export const timeErrorWords: ErrorWords = {
  "stopwatch.running": "cannot start a stopwatch again if it already exists",
  "stopwatch.nothing-to-cancel": "cannot cancel a non-existent stopwatch",
  "stopwatch.nothing-to-stop": "cannot stop a non-existent stopwatch",
  "time.already-deleted": "tracked time was already deleted",
  "time.bad-amount": "[Time]: not an amount of seconds that can be tracked",
  "time.bad-estimate": "[TimeEstimate]: not a span of time like 1h 30m",
  "time.disabled": "time tracking disabled",
  "time.list-disabled": "timetracker is disabled",
  "time.not-allowed": "",
  "time.not-own": "",
  "time.nothing-of-own": "there are no tracked times of this user",
  "time.others-not-allowed": "query by user not allowed; not enough rights",
};
