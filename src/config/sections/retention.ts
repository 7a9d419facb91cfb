import type { Setting } from "../setting.ts";

/** How long things stay, and how often they are read again. */
export const retentionSettings = {
  "blobs.grace_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that an uploaded file stays on the disk after the last thing that has it is gone. A backup copies files for as long.",
  },
  "backup.folder": {
    type: { kind: "text" },
    standard: "",
    doc: "Where backups are made by themselves, outside of the data folder: best on another disk. Empty: none are made.",
  },
  "backup.schedule": {
    type: { kind: "choice", of: ["hourly", "daily", "weekly"] },
    standard: "daily",
    doc: "How often a backup is made: every hour, every night at two, or in the night to Sunday. An administrator is warned when none was made for twice as long.",
  },
  "backup.keep": {
    type: { kind: "number", least: 0, most: 10_000 },
    standard: 7,
    doc: "How many of these backups stay; older ones are removed when a new one is whole. 0: all.",
  },
  "backup.with_key": {
    type: { kind: "flag" },
    standard: true,
    doc: "Put `secret.key` into backups; without it, what the database keeps encrypted is closed until the file is put back.",
  },
  "scrub.schedule": {
    type: { kind: "choice", of: ["weekly", "monthly", "never"] },
    standard: "monthly",
    doc: "How often everything stored (packs, indexes, loose objects, uploaded files) is read and compared with its checksums, in the night to Sunday or to the first of a month. What is found stands in the log and in the administration.",
  },
  "scrub.core_percent": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 25,
    doc: "The part of one processor core that this reading may take.",
  },
  "retention.events_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days that the record of what happened stays once feeds, webhooks and the like have taken it. What one of them could not take stays until an administrator decides.",
  },
  "retention.ref_log_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 90,
    doc: "Days that the log of where branches and tags pointed stays; at least as long as `repository.prune_days`. 0: for ever.",
  },
  "retention.activities_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days that entries of the activity feeds stay. 0: for ever.",
  },
  "retention.audit_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days that the record of security events stays (sign-ins, changed passwords, tokens and the like). 0: for ever.",
  },
  "retention.finished_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 7,
    doc: "Days that background jobs that were done or cancelled are listed.",
  },
  "retention.failed_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days that background jobs that failed for good are listed, and can be run again.",
  },
  "retention.notices_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 365,
    doc: "Days that notices to administrators are kept.",
  },
} as const satisfies Record<string, Setting>;
