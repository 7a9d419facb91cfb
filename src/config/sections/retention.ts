import type { Setting } from "../setting.ts";

/** How long data is kept, and how often stored files are verified. */
export const retentionSettings = {
  "blobs.grace_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that an uploaded file stays on disk after the last reference to it is gone. A backup may take that long to copy files.",
  },
  "backup.folder": {
    type: { kind: "text" },
    standard: "",
    doc: "Where the server makes scheduled backups. Must be outside the data folder, ideally on another disk. Empty: none are made.",
  },
  "backup.schedule": {
    type: { kind: "choice", of: ["hourly", "daily", "weekly"] },
    standard: "daily",
    doc: "How often to make a backup: every hour, every night at two, or in the night to Sunday. Administrators are warned when none was made for twice as long.",
  },
  "backup.keep": {
    type: { kind: "number", least: 0, most: 10_000 },
    standard: 7,
    doc: "How many scheduled backups to keep; older ones are removed once a new one is complete. 0: all.",
  },
  "backup.with_key": {
    type: { kind: "flag" },
    standard: true,
    doc: "Include `secret.key` in backups. Without it, encrypted data in a restored database cannot be read until the file is put back.",
  },
  "scrub.schedule": {
    type: { kind: "choice", of: ["weekly", "monthly", "never"] },
    standard: "monthly",
    doc: "How often to read everything stored (packs, indexes, loose objects, uploaded files) and compare it with its checksums, in the night to Sunday or to the first of the month. Findings appear in the log and in the administration.",
  },
  "scrub.core_percent": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 25,
    doc: "How much of one processor core the scrub may use, in percent.",
  },
  "retention.events_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days to keep the record of events after feeds, webhooks and other consumers have processed them. Events that one of them could not process are kept until an administrator decides.",
  },
  "retention.ref_log_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 90,
    doc: "Days to keep the log of where branches and tags pointed; at least `repository.prune_days`. 0: forever.",
  },
  "retention.activities_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days to keep entries of activity feeds. 0: forever.",
  },
  "retention.audit_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 365,
    doc: "Days to keep the security log (sign-ins, changed passwords, tokens and so on). 0: forever.",
  },
  "retention.finished_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 7,
    doc: "Days that finished or cancelled background jobs stay listed.",
  },
  "retention.failed_jobs_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 30,
    doc: "Days that failed background jobs stay listed and can be run again.",
  },
  "retention.notices_days": {
    type: { kind: "number", least: 1, most: 3650 },
    standard: 365,
    doc: "Days to keep notices to administrators.",
  },
} as const satisfies Record<string, Setting>;
