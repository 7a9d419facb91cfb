import type { StatusState } from "./types.ts";

/** Events about commit statuses. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "commit-status.created": { commit: string; number: number; context: string; state: StatusState };
  }
}
