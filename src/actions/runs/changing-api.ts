import { created, json, noContent } from "../../http/respond.ts";
import { type Call, idParam, type Route } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { signedInReadsRuns, writesRuns } from "../access.ts";
import { logDownload } from "../logs/download.ts";
import { actionsPath } from "./api.ts";
import { JobResource, jobResource, RunResource, runResource } from "./resource.ts";

/** Re-running, cancelling and deleting runs over REST, and the logs of jobs (contract actions.md 8.6 and 8.7). */
export function runChangingRoutes(services: Services): Route[] {
  const { actionsLogs, actionsRunLists, actionsRuns } = services;
  const api = { surface: "api", access: writesRuns } as const;
  const one = `${actionsPath}/runs/:run`;
  const tag = "repository";
  const params = { run: "Number of the run on the site (its `id`)." };
  const missing = { 404: { description: "There is no such run in this repository." } };
  const notAgain = {
    400: {
      description:
        "The run has not finished, its workflow is disabled, or it has reached the maximum number of attempts.",
    },
  };
  const run = { description: "The run, in its new attempt.", schema: RunResource };
  const idOf = (call: Call) => idParam(call, "run");
  const shown = (call: Call, id: number) => {
    const seen = seenRepo(call);
    return runResource(services, seen, actionsRunLists.get(seen, id));
  };
  return [
    {
      ...api,
      method: "POST",
      path: `${one}/rerun`,
      doc: {
        id: "rerunWorkflowRun",
        tag,
        summary: "Re-run all jobs of a run",
        params,
        answers: { 201: run, ...notAgain, ...missing },
      },
      handle: (call) => {
        actionsRuns.rerun(seenRepo(call), idOf(call));
        return created(shown(call, idOf(call)));
      },
    },
    {
      ...api,
      method: "POST",
      path: `${one}/rerun-failed-jobs`,
      doc: {
        id: "rerunFailedWorkflowRun",
        tag,
        summary: "Re-run the failed and cancelled jobs of a run, and the jobs that need them",
        params,
        answers: {
          201: { description: "The jobs are waiting for a runner." },
          400: {
            description:
              "No job failed, the run has not finished, its workflow is disabled, or it has reached the maximum number of attempts.",
          },
          ...missing,
        },
      },
      handle: (call) => {
        actionsRuns.rerunFailed(seenRepo(call), idOf(call));
        return new Response(null, { status: 201 });
      },
    },
    {
      ...api,
      method: "POST",
      path: `${one}/jobs/:job_id/rerun`,
      doc: {
        id: "rerunWorkflowJob",
        tag,
        summary: "Re-run a job and the jobs that need it",
        params: { ...params, job_id: "Number of the job." },
        answers: {
          201: { description: "The job, in the new attempt.", schema: JobResource },
          ...notAgain,
          404: { description: "There is no such run in this repository, or no such job in its last attempt." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        const id = actionsRuns.rerunJob(seen, idOf(call), idParam(call, "job_id"));
        return created(jobResource(services, seen, actionsRunLists.job(seen, id)));
      },
    },
    {
      ...api,
      method: "POST",
      path: `${one}/cancel`,
      doc: {
        id: "cancelWorkflowRun",
        tag,
        summary: "Cancel the unfinished jobs of a run",
        params,
        answers: { 200: { ...run, description: "The run." }, ...missing },
      },
      handle: (call) => {
        actionsRuns.cancel(seenRepo(call), idOf(call));
        return json(shown(call, idOf(call)));
      },
    },
    {
      ...api,
      method: "POST",
      path: `${one}/approve`,
      doc: {
        id: "approveWorkflowRun",
        tag,
        summary: "Approve a run that is waiting for approval",
        params,
        answers: { 200: { ...run, description: "The run." }, ...missing },
      },
      handle: (call) => {
        actionsRuns.approve(seenRepo(call), idOf(call));
        return json(shown(call, idOf(call)));
      },
    },
    {
      ...api,
      method: "DELETE",
      path: one,
      doc: {
        id: "deleteActionRun",
        tag,
        summary: "Delete a run with its jobs, logs and artifacts",
        params,
        answers: { 204: { description: "Deleted." }, 400: { description: "The run has not finished." }, ...missing },
      },
      handle: (call) => {
        actionsRuns.delete(seenRepo(call), idOf(call));
        return noContent();
      },
    },
    {
      ...api,
      method: "GET",
      path: `${actionsPath}/jobs/:job_id/logs`,
      access: signedInReadsRuns,
      doc: {
        id: "downloadActionsRunJobLogs",
        tag,
        summary: "Get the log of a job",
        params: { job_id: "Number of the job." },
        answers: {
          200: { description: "The log as text, each line preceded by its time.", mediaType: "text/plain" },
          404: { description: "There is no such job, no runner has taken it yet, or its log has expired." },
        },
      },
      handle: (call) => {
        return logDownload(actionsLogs, actionsRunLists.job(seenRepo(call), idParam(call, "job_id")));
      },
    },
  ];
}
