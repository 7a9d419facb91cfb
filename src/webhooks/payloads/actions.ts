import { type JobResource, jobResources, type RunResource, runResources } from "../../actions/runs/resource.ts";
import { isDone, type Status, Status as Statuses, shownStatus } from "../../actions/runs/statuses.ts";
import { workflowResource } from "../../actions/workflows/resource.ts";
import type { EventContext } from "../../events/types.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import type { JobSource, RunSource } from "../sources.ts";
import { hookEyes, personOf, repoOf, seenBy } from "./common.ts";

/** Start, progress and end of runs and their jobs (contract webhooks.md 6.14 and 6.15). */
export function actionsTellers(services: Services) {
  const { actionsRunLists } = services;
  return {
    "actions.run-changed": ({ repoId }, { attempt, from, runId, status }) => {
      const run = found(services, repoId, (seen) => actionsRunLists.get(seen, runId));
      if (!run || repoId === undefined) return [];
      const { startedAt, stoppedAt, updatedAt } = run;
      // A run that waits again between two of its jobs is not reported again.
      const isFirstStart = startedAt === updatedAt;
      const action = runAction(status, from, isFirstStart);
      if (action === undefined) return [];
      const payload: RunSource = {
        source: "workflow-run",
        action,
        repoId,
        runId,
        attempt,
        status,
        startedAt,
        stoppedAt,
      };
      return [{ type: "workflow_run", payload }] satisfies Happening[];
    },
    "actions.job-changed": ({ repoId }, { jobId, status }) => {
      const job = found(services, repoId, (seen) => actionsRunLists.job(seen, jobId));
      if (!job || repoId === undefined) return [];
      const { startedAt, stoppedAt, taskId } = job;
      const payload: JobSource = { source: "workflow-job", repoId, jobId, status, startedAt, stoppedAt, taskId };
      return [{ type: "workflow_job", payload }] satisfies Happening[];
    },
  } satisfies TellersOf;
}

function runAction(status: Status, from: Status | undefined, isFirstStart: boolean): RunSource["action"] | undefined {
  if (isDone(status)) return "completed";
  if (from === undefined) return "requested";
  return status === Statuses.running && isFirstStart ? "in_progress" : undefined;
}

/** In the state at the time of the event. @returns undefined: it is gone */
export function runPayload(services: Services, source: RunSource): object | undefined {
  const { actionsRunLists } = services;
  const { action, attempt, startedAt, status, stoppedAt } = source;
  const seen = seenBy(services, source.repoId);
  const read = found(services, source.repoId, (repo) => {
    const run = actionsRunLists.get(repo, source.runId);
    return { run, asked: actionsRunLists.attempt(run, attempt) };
  });
  if (!seen || !read) return undefined;
  const { asked, run } = read;
  const [resource] = runResources(services, hookEyes, new Map([[seen.repo.id, seen]]), [run], {
    attempt: { ...asked, status, startedAt, stoppedAt },
  });
  if (!resource) return undefined;
  const isEnabled = actionsRunLists.isEnabled(seen, run.workflow);
  const workflow = {
    id: run.workflow,
    name: run.workflowName || run.workflow,
    path: `${run.workflowFolder}/${run.workflow}`,
    isEnabled,
  };
  const branch = /^refs\/heads\/(.+)$/.exec(run.ref)?.[1];
  return {
    action,
    workflow: workflowResource(services, seen, workflow, { commit: run.sourceCommit, branch }),
    workflow_run: resource,
    ...around(services, seen, resource.trigger_actor),
  };
}

/** In the state at the time of the event. @returns undefined: it is gone */
export function jobPayload(services: Services, source: JobSource): object | undefined {
  const { actionsRunLists } = services;
  const { startedAt, status, stoppedAt, taskId } = source;
  const seen = seenBy(services, source.repoId);
  const read = found(services, source.repoId, (repo) => {
    const job = actionsRunLists.job(repo, source.jobId);
    return { job, run: actionsRunLists.get(repo, job.runId) };
  });
  if (!seen || !read) return undefined;
  const { job, run } = read;
  const runner = taskId === undefined ? { runnerId: undefined, runnerName: undefined } : {};
  const told = { ...job, ...runner, startedAt, status, stoppedAt, taskId };
  const [resource]: JobResource[] = jobResources(services, new Map([[seen.repo.id, seen]]), [told]);
  const [shown]: RunResource[] = runResources(services, hookEyes, new Map([[seen.repo.id, seen]]), [run]);
  if (!resource || !shown) return undefined;
  return {
    action: shownStatus(status).status,
    workflow_job: resource,
    ...around(services, seen, shown.trigger_actor),
  };
}

const around = (services: Services, seen: SeenRepo, sender: RunResource["trigger_actor"]) => ({
  ...(seen.owner.kind === "organization" ? { organization: personOf(services, seen.owner.id) } : {}),
  repository: repoOf(services, seen),
  sender,
});

/** Reads from a repository; undefined: it is gone. */
function found<T>(services: Services, repoId: EventContext["repoId"], read: (seen: SeenRepo) => T): T | undefined {
  const seen = seenBy(services, repoId);
  if (!seen) return undefined;
  try {
    return read(seen);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
