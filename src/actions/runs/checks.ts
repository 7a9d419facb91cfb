import { basename } from "node:path";
import { anonymous, type Principal } from "../../access/principal.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { RepoService } from "../../repos/service.ts";
import type { Repo } from "../../repos/types.ts";
import type { StatusService } from "../../statuses/service.ts";
import type { StatusState } from "../../statuses/types.ts";
import { Status } from "./statuses.ts";
import type { Job, Run } from "./types.ts";

/** The account that acts for workflows and is recorded as the author of their actions. */
export const actionsPrincipal: Principal = { ...anonymous, user: actionsUser, via: "operator" };

/** Events whose runs report a status on a commit. */
const reported = new Set([
  "push",
  "pull_request",
  "pull_request_target",
  "pull_request_review",
  "pull_request_review_comment",
  "release",
]);

/** The commit statuses that jobs report (contract actions.md 5.1). */
export class RunChecks {
  constructor(private readonly parts: { readonly repos: RepoService; readonly statuses: StatusService }) {}

  /** Reports the status of a job. Joins the running transaction. */
  report(
    repo: Repo,
    ownerName: string,
    run: Run,
    job: Pick<Job, "id" | "name" | "startedAt" | "status" | "stoppedAt">,
  ): void {
    if (!reported.has(run.event)) return;
    const { description, state } = described(job);
    const status = {
      commit: run.commit,
      context: checkName(run, job.name, run.event),
      source: run.workflow,
      state,
      description,
      targetUrl: `/${ownerName}/${repo.name}/actions/runs/${run.id}/jobs/${job.id}`,
    };
    this.parts.statuses.report(repo, status, actionsPrincipal);
  }

  /** Reports a required check as skipped: the change does not concern its workflow. Joins the running transaction. */
  skipped(repo: Repo, commit: string, workflow: string, context: string): void {
    const status = {
      commit,
      context,
      source: workflow,
      state: "skipped" as const,
      description: "Skipped",
      targetUrl: "",
    };
    this.parts.statuses.report(repo, status, actionsPrincipal);
  }
}

/** The name of a job's check: `CI / build (push)`; a workflow without a name is named after its file. */
export function checkName(
  { workflow, workflowName }: Pick<Run, "workflow" | "workflowName">,
  jobName: string,
  event: string,
): string {
  return `${workflowName || basename(workflow)} / ${jobName} (${event})`;
}

function described({ startedAt, status, stoppedAt }: Pick<Job, "startedAt" | "status" | "stoppedAt">): {
  readonly state: StatusState;
  readonly description: string;
} {
  const took = duration(startedAt === undefined || stoppedAt === undefined ? 0 : stoppedAt - startedAt);
  switch (status) {
    case Status.success:
      return { state: "success", description: `Successful in ${took}` };
    case Status.failure:
      return { state: "failure", description: `Failing after ${took}` };
    case Status.cancelled:
      return { state: "failure", description: `Canceled after ${took}` };
    case Status.skipped:
      return { state: "skipped", description: "Skipped" };
    case Status.waiting:
      return { state: "pending", description: "Waiting to run" };
    case Status.running:
      return { state: "pending", description: "In progress" };
    case Status.blocked:
      return { state: "pending", description: "Blocked by required conditions" };
    case Status.cancelling:
      return { state: "pending", description: "Canceling" };
    case Status.unknown:
      return { state: "error", description: "Unknown status: 0" };
  }
}

/** `3s`, `1m5s`, `1h2m3s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [hours > 0 ? `${hours}h` : "", seconds >= 60 ? `${minutes}m` : "", `${seconds % 60}s`];
  return parts.join("");
}
