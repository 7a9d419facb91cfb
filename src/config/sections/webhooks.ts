import type { Setting } from "../setting.ts";

/** Webhooks. `network.allow` decides which servers they may reach. */
export const webhooksSettings = {
  "webhooks.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Send webhooks. Off: only administrators can see or create them, and nothing is sent.",
  },
  "webhooks.timeout_seconds": {
    type: { kind: "number", least: 1, most: 60 },
    standard: 5,
    doc: "Seconds that one webhook delivery may take, from connecting to the end of the response.",
  },
  "webhooks.history_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that webhook deliveries and their responses can be viewed and sent again. 0: forever.",
  },
} as const satisfies Record<string, Setting>;
