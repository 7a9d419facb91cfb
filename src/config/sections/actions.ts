import type { Setting } from "../setting.ts";

/** Workflows and the runners that execute their jobs. */
export const actionsSettings = {
  "actions.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Run workflows. Off: no workflow starts, and Actions disappears from REST, pages and runners; stored data is kept.",
  },
  "actions.default_actions_url": {
    type: { kind: "text" },
    standard: "github",
    doc: "Where runners find actions that are named without a server: `github`, `self` for this server, or an address.",
  },
  "actions.log_retention_days": {
    type: { kind: "number", least: 0, most: 100_000 },
    standard: 365,
    doc: "Days to keep job logs. 0: forever.",
  },
  "actions.zombie_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 10,
    doc: "A job fails if its runner is silent for this many minutes.",
  },
  "actions.endless_minutes": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 180,
    doc: "A job fails if it runs for this many minutes.",
  },
  "actions.abandoned_hours": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 24,
    doc: "A job is cancelled if it waits this many hours for a runner.",
  },
  "actions.max_attempts": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 50,
    doc: "How many times a run may be attempted, including the first.",
  },
  "actions.registration_token": {
    type: {
      kind: "text",
      check: (value) => (value === "" || value.length >= 32 ? undefined : "must have 32 characters or more"),
    },
    standard: "",
    secret: true,
    doc: "A token with which runners of the whole site may register, 32 characters or more. It is imported once, when the server starts. The environment variables `GITEA_RUNNER_REGISTRATION_TOKEN` and `GITEA_RUNNER_REGISTRATION_TOKEN_FILE` do the same.",
  },
  "actions.artifact_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 90,
    doc: "Days to keep an artifact if its job does not say; no job can ask for more than 3650.",
  },
  "actions.artifact_mib": {
    type: { kind: "number", least: 1, most: 1_048_576 },
    standard: 4_096,
    doc: "The largest artifact in MiB; with the older protocol, the largest of its files.",
  },
} as const satisfies Record<string, Setting>;
