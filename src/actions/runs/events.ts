import type { Status } from "./statuses.ts";

declare module "../../events/types.ts" {
  interface EventPayloads {
    /** A run was made, or its status is another. `from` is undefined for a new one, and for a new attempt. */
    "actions.run-changed": { runId: number; attempt: number; status: Status; from: Status | undefined };
    /** A job was made, or its status is another. */
    "actions.job-changed": { runId: number; jobId: number; status: Status };
  }
}
