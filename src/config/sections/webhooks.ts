import type { Setting } from "../setting.ts";

/** Addresses that are told of what happens. Where the server may go is said by `network.allow`. */
export const webhooksSettings = {
  "webhooks.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Tell webhooks of what happens. Off: nobody but administrators makes or sees them, and nothing is sent.",
  },
  "webhooks.timeout_seconds": {
    type: { kind: "number", least: 1, most: 60 },
    standard: 5,
    doc: "Seconds that telling one webhook may take, from the connection to the end of its answer.",
  },
  "webhooks.history_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that what was sent to webhooks, and what they answered, can be looked at and sent again. 0: for ever.",
  },
} as const satisfies Record<string, Setting>;
