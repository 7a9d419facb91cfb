import type { OpenJob } from "./jobs-store.ts";
import { Status } from "./statuses.ts";

/** Which jobs of a run are re-run (contract actions.md 8.6), by ID. */

export function failedAgain(jobs: readonly OpenJob[]): Set<number> {
  const hasFailed = ({ status }: OpenJob) => status === Status.failure || status === Status.cancelled;
  // A call failed because of its jobs, unless it never got any.
  return withDependants(
    jobs,
    jobs.filter((job) => hasFailed(job) && job.plan.called === undefined),
  );
}

export function oneAgain(jobs: readonly OpenJob[], job: OpenJob): Set<number> {
  return withDependants(jobs, [job]);
}

/** Adds everything that needs these jobs, or needs a call that contains them. A call brings all its jobs along. */
function withDependants(jobs: readonly OpenJob[], first: readonly OpenJob[]): Set<number> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const again = new Set<number>();
  const open = first.map((job) => ({ job, isWhole: true }));
  const seen = new Set<number>();
  for (let next = open.pop(); next; next = open.pop()) {
    const { isWhole, job } = next;
    if (isWhole) again.add(job.id);
    if (seen.has(job.id)) continue;
    seen.add(job.id);
    for (const other of jobs)
      if (other.parentId === job.parentId && other.needs.includes(job.key)) open.push({ job: other, isWhole: true });
    const parent = job.parentId === undefined ? undefined : byId.get(job.parentId);
    // The call keeps its other jobs as they are.
    if (parent) open.push({ job: parent, isWhole: false });
  }
  return again;
}

/** Whether a job and all its needs are re-run. */
export function areNeedsAgain(job: OpenJob, jobs: readonly OpenJob[], again: ReadonlySet<number>): boolean {
  const needed = jobs.filter(({ key, parentId }) => parentId === job.parentId && job.needs.includes(key));
  return again.has(job.id) && needed.every(({ id }) => again.has(id));
}

/** The calls around re-run jobs: they are copied with their jobs, whose status they follow. */
export function callsAround(jobs: readonly OpenJob[], again: ReadonlySet<number>): Set<number> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const calls = new Set<number>();
  for (const id of again)
    for (let parentId = byId.get(id)?.parentId; parentId !== undefined; parentId = byId.get(parentId)?.parentId)
      calls.add(parentId);
  return calls;
}
