/**
 * The status of a run, attempt, job, task or step (contract actions.md 1.1). Stored, and accepted by pages, as numbers.
 */
export const Status = {
  unknown: 0,
  success: 1,
  failure: 2,
  cancelled: 3,
  skipped: 4,
  waiting: 5,
  running: 6,
  blocked: 7,
  cancelling: 8,
} as const;

export type StatusName = keyof typeof Status;
export type Status = (typeof Status)[StatusName];

const names = new Map<number, StatusName>(
  Object.entries(Status).map(([name, number]) => [number, name as StatusName] as const),
);

/** As pages and the list of tasks show it: `waiting`. */
export const statusName = (status: Status): StatusName => names.get(status) ?? "unknown";

/** Whether the status is final. */
export const isDone = (status: Status): boolean => status >= Status.success && status <= Status.skipped;

/** The status for REST and webhooks, which name `waiting` and `blocked` differently. */
export function shownStatus(status: Status): { readonly status: string; readonly conclusion: string | undefined } {
  if (isDone(status)) return { status: "completed", conclusion: statusName(status) };
  if (status === Status.waiting) return { status: "queued", conclusion: undefined };
  if (status === Status.blocked) return { status: "waiting", conclusion: undefined };
  return { status: "in_progress", conclusion: undefined };
}

export interface CountedJob {
  readonly status: Status;
  /** Whether its failure does not affect the others. */
  readonly continuesOnError: boolean;
}

/** The status of a run from its jobs, or of a need from its cells (contract actions.md 1.2). */
export function statusOfAll(jobs: readonly CountedJob[]): Status {
  if (jobs.length === 0) return Status.unknown;
  if (jobs.every(({ status }) => status === Status.skipped)) return Status.skipped;
  const passes = ({ continuesOnError, status }: CountedJob) =>
    status === Status.success || status === Status.skipped || (status === Status.failure && continuesOnError);
  if (jobs.every(passes)) return Status.success;
  const order = [
    Status.cancelling,
    Status.running,
    Status.waiting,
    Status.blocked,
    Status.cancelled,
    Status.failure,
  ] as const;
  return order.find((wanted) => jobs.some(({ status }) => status === wanted)) ?? Status.unknown;
}
