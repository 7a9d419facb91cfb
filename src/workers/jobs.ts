/**
 * Every job there is, by name. Modules load in the worker on first use, so that a worker holds only what it needs.
 * A job module exports `run(input, context)`; see job.ts.
 */
export const jobs = {
  /** Answers its input; lets tests and `doctor` see that workers run in this executable. */
  "workers.echo": () => import("./echo.job.ts"),
  /** Answers a fetch: negotiation and pack. */
  "git.fetch": () => import("../git/transport/upload/fetch.job.ts"),
  /** Takes a pack into quarantine and verifies it. */
  "git.receive": () => import("../git/transport/receive/receive.job.ts"),
  /** Brings a commit-graph up to date after a push. */
  "git.graph": () => import("../git/graph/graph.job.ts"),
} as const;

export type JobName = keyof typeof jobs;
type Run<K extends JobName> = Awaited<ReturnType<(typeof jobs)[K]>>["run"];
export type JobInput<K extends JobName> = Parameters<Run<K>>[0];
export type JobResult<K extends JobName> = Awaited<ReturnType<Run<K>>>;
