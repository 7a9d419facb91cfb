import type { Setting } from "../setting.ts";

/** The running process: threads, memory, log. */
export const processSettings = {
  "workers.bulk": {
    type: { kind: "number", least: 0, most: 64 },
    standard: 0,
    doc: "Threads for packs and other long work. 0: one for each core.",
  },
  "workers.job_minutes": {
    type: { kind: "number", least: 1, most: 10_000 },
    standard: 120,
    doc: "Minutes that one push, fetch or copy may keep a thread busy. Time spent waiting for the client to send or read does not count.",
  },
  "cache.mib": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 128,
    doc: "Memory for all caches together (rendered files, diffs, histories, listings, repository objects, verified passwords), in MiB. Each active thread borrows an eighth of it for the repositories it reads; a quarter is always left for the rest.",
  },
  "shutdown.grace_seconds": {
    type: { kind: "number", least: 0, most: 3600 },
    standard: 30,
    doc: "How long running pushes may continue after the server is told to stop.",
  },
  "log.level": {
    type: { kind: "choice", of: ["debug", "info", "warn", "error"] },
    standard: "info",
    doc: "The least severe messages to log.",
  },
  "log.format": { type: { kind: "choice", of: ["text", "json"] }, standard: "text", doc: "Format of a log line." },
} as const satisfies Record<string, Setting>;
