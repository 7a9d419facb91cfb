import type { StatusState } from "./types.ts";

/** What happens to the checks of commits. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "commit-status.created": { commit: string; number: number; context: string; state: StatusState };
  }
}
