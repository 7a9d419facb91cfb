import type { Status } from "./statuses.ts";

declare module "../../events/types.ts" {
  interface EventPayloads {
    /** A run was created or its status changed. `from` is undefined for a new run and for a new attempt. */
    "actions.run-changed": { runId: number; attempt: number; status: Status; from: Status | undefined };
    /** A job was created or its status changed. */
    "actions.job-changed": { runId: number; jobId: number; status: Status };
  }
}
