import type { Setting } from "../setting.ts";

/** Workflows and the runners that do their jobs. */
export const actionsSettings = {
  "actions.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Run workflows. Off: nothing starts, and REST, pages and runners are told that there is nothing of Actions; what is stored stays.",
  },
  "actions.default_actions_url": {
    type: { kind: "text" },
    standard: "github",
    doc: "Where runners find actions that are named without a server: `github`, `self` for this server, or an address.",
  },
  "actions.log_retention_days": {
    type: { kind: "number", least: 0, most: 100_000 },
    standard: 365,
    doc: "Days that the logs of jobs are there for. 0: for ever.",
  },
  "actions.zombie_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 10,
    doc: "A job whose runner says nothing for so many minutes has failed.",
  },
  "actions.endless_minutes": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 180,
    doc: "A job that runs for so many minutes has failed.",
  },
  "actions.abandoned_hours": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 24,
    doc: "A job that waits for a runner for so many hours is cancelled.",
  },
  "actions.max_attempts": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 50,
    doc: "How often a run may be run, the first time included.",
  },
  "actions.registration_token": {
    type: {
      kind: "text",
      check: (value) => (value === "" || value.length >= 32 ? undefined : "must have 32 characters or more"),
    },
    standard: "",
    secret: true,
    doc: "A token with which runners of the whole site may register, of 32 characters or more; it is taken up when the server starts, once. `GITEA_RUNNER_REGISTRATION_TOKEN` and `GITEA_RUNNER_REGISTRATION_TOKEN_FILE` of the environment say the same.",
  },
  "actions.artifact_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 90,
    doc: "Days that an artifact stays when its job does not say how long; no job can ask for more than 3650.",
  },
  "actions.artifact_mib": {
    type: { kind: "number", least: 1, most: 1_048_576 },
    standard: 4_096,
    doc: "The largest artifact in MiB; with the older protocol the largest of its files.",
  },
} as const satisfies Record<string, Setting>;
