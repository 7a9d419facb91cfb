import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals to administrators (contract identity.md section 15). */
export const adminErrorWords: ErrorWords = {
  "events.not-set-aside": "no such event was set aside",
  "jobs.not-found": "job does not exist",
  "jobs.already-ended": "the job has ended already",
  "jobs.not-failed": "only a job that failed or was cancelled can be run again",
  "schedules.not-found": "not found",
};
