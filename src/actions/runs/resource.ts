import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../../access/principal.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { text, texts, time, whole } from "../../http/fields.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { actionsUser, ghost } from "../../identity/system-users.ts";
import { EPOCH_TIME, rfc3339 } from "../../kernel/clock.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import { RepoResource, repoResources } from "../../repos/resource.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { PullMinimalResource, pullMinimals } from "./pull-resource.ts";
import { type Status, shownStatus, statusName } from "./statuses.ts";
import type { Attempt, ListedJob, ListedTask, Run, Step } from "./types.ts";

const conclusion = Type.Optional(text("The result: success, failure, cancelled or skipped; absent until it ends."));
const headBranch = text("The branch it is for; empty for tags and pull requests.");
const howFar = text("queued (waiting for a runner), waiting (for something else), in_progress or completed.");
const startedAt = time("When it started; 1970 until then.");
const completedAt = time("When it ended; 1970 until then.");

export const RunResource = Type.Object(
  {
    id: whole("Number of the run; never used again."),
    url: text("Its API address."),
    previous_attempt_url: Type.Union([Type.String(), Type.Null()], {
      description: "API address of the previous attempt; null for the first.",
    }),
    html_url: text("Its page."),
    display_title: text("Title: set by the workflow, or taken from the commit."),
    path: text("The workflow's file and the ref: `build.yml@refs/heads/main`."),
    event: text("The event that started it, named as in workflows."),
    run_attempt: whole("Which attempt this is, from 1."),
    run_number: whole("Number of the run in the repository, from 1."),
    head_sha: text("The commit it is for."),
    head_branch: headBranch,
    status: howFar,
    conclusion,
    actor: UserResource,
    trigger_actor: UserResource,
    repository: RepoResource,
    pull_requests: Type.Array(PullMinimalResource, { description: "The pull request it is for, if there is one." }),
    started_at: startedAt,
    completed_at: completedAt,
  },
  { $id: "ActionWorkflowRun", description: "A run of a workflow." },
);
export type RunResource = Static<typeof RunResource>;

export const RunsResource = Type.Object(
  {
    workflow_runs: Type.Array(RunResource, { description: "The items on this page." }),
    total_count: whole("The total number on all pages."),
  },
  { $id: "ActionWorkflowRunsResponse", description: "A page of runs." },
);

const StepResource = Type.Object(
  {
    name: text("Name of the step."),
    number: whole("Its position in the job, from 0."),
    status: howFar,
    conclusion,
    started_at: startedAt,
    completed_at: completedAt,
  },
  { $id: "ActionWorkflowStep", description: "A step of a job." },
);

export const JobResource = Type.Object(
  {
    id: whole("Number of the job; never used again."),
    url: text("Its API address."),
    html_url: text("Its page."),
    run_id: whole("Number of its run."),
    run_url: text("API address of its run."),
    name: text("Name of the job, with its matrix values."),
    labels: texts("The labels a runner must have to run it.", "A label."),
    run_attempt: whole("The attempt of the run it belongs to."),
    head_sha: text("The commit it is for."),
    head_branch: headBranch,
    status: howFar,
    conclusion,
    runner_id: Type.Optional(
      whole("Number of its runner; absent until one takes it, and after that runner is deleted."),
    ),
    runner_name: Type.Optional(text("Name of its runner; absent until one takes it.")),
    steps: Type.Array(StepResource, { description: "Its steps; empty until a runner takes it." }),
    created_at: time("When it was created."),
    started_at: startedAt,
    completed_at: completedAt,
  },
  { $id: "ActionWorkflowJob", description: "A job of a run." },
);
export type JobResource = Static<typeof JobResource>;

export const JobsResource = Type.Object(
  {
    jobs: Type.Array(JobResource, { description: "The items on this page." }),
    total_count: whole("The total number on all pages."),
  },
  { $id: "ActionWorkflowJobsResponse", description: "A page of jobs." },
);

const TaskResource = Type.Object(
  {
    id: whole("Number of the task."),
    name: text("Name of the job."),
    head_branch: text("The branch, the tag, or # and the number of the pull request."),
    head_sha: text("The commit it is for."),
    run_number: whole("Number of the run in the repository."),
    event: text("The event that started the run, named as in workflows."),
    display_title: text("Title of the run."),
    status: text("success, failure, cancelled, skipped, running or cancelling."),
    workflow_id: text("The workflow's file."),
    url: text("The run's page."),
    created_at: time("When a runner took the job."),
    updated_at: time("When the runner last reported on it."),
    run_started_at: startedAt,
  },
  { $id: "ActionTask", description: "A job that a runner has taken." },
);

export const TasksResource = Type.Object(
  {
    workflow_runs: Type.Array(TaskResource, { description: "The items on this page." }),
    total_count: whole("The total number on all pages."),
  },
  { $id: "ActionTaskResponse", description: "A page of tasks." },
);

export interface RunResourceOptions {
  /** The attempt to show instead of the last. */
  readonly attempt?: Attempt;
  /** Leaves out the pull requests. */
  readonly withoutPulls?: boolean;
}

type NeededServices = Pick<Services, "actionsRunLists" | "identity" | "links" | "pulls" | "repos" | "transfers">;

/** Runs as the viewer may see them, in a fixed number of queries. @param seen their repositories, by ID */
export function runResources(
  services: Services,
  viewer: Principal,
  seen: ReadonlyMap<number, SeenRepo>,
  runs: readonly Run[],
  { attempt, withoutPulls = false }: RunResourceOptions = {},
): RunResource[] {
  if (runs.length === 0) return [];
  const { actionsRunLists, links } = services;
  const shown = [...new Set(runs.map(({ repoId }) => repoId))].flatMap((id) => seen.get(id) ?? []);
  const repositories = new Map(repoResources(services, shown).map((resource) => [resource.id, resource]));
  const askers = attempt ? new Map([[attempt.runId, attempt.userId]]) : actionsRunLists.lastAskers(runs);
  const people = peopleOf(services, viewer, [...runs.map(({ userId }) => userId), ...askers.values()]);
  const pulls = withoutPulls ? undefined : pullMinimals(services, viewer, runs);
  return runs.flatMap((run) => {
    const repo = seen.get(run.repoId);
    const repository = repositories.get(run.repoId);
    if (!repo || !repository) return [];
    const url = runAddress(repo, links, run.id);
    const { status, attempt: number, startedAt, stoppedAt } = attempt ?? run;
    return {
      id: run.id,
      url,
      previous_attempt_url: number > 1 ? `${url}/attempts/${number - 1}` : null,
      html_url: runPage(repo, links, run.id),
      display_title: run.title,
      path: `${run.workflow}@${run.ref}`,
      event: run.event,
      run_attempt: number,
      run_number: run.number,
      head_sha: run.commit,
      head_branch: branchOf(run.ref),
      ...statusFields(status),
      actor: people(run.userId, run.event),
      trigger_actor: people(askers.get(run.id), run.event),
      repository,
      pull_requests: pulls?.get(run.issueId ?? 0) ?? [],
      started_at: timeOf(startedAt),
      completed_at: timeOf(stoppedAt),
    };
  });
}

/** One run. */
export function runResource(
  services: Services,
  seen: SeenRepo,
  run: Run,
  options: RunResourceOptions = {},
): RunResource {
  const [resource] = runResources(services, seen.principal, new Map([[seen.repo.id, seen]]), [run], options);
  if (!resource) throw new Error("a run has a resource");
  return resource;
}

/** Jobs with their steps. @param seen their repositories, by ID */
export function jobResources(
  { actionsRunLists, links }: Pick<Services, "actionsRunLists" | "links">,
  seen: ReadonlyMap<number, SeenRepo>,
  jobs: readonly ListedJob[],
): JobResource[] {
  const steps = actionsRunLists.steps(jobs);
  return jobs.flatMap((job) => {
    const repo = seen.get(job.repoId);
    if (!repo) return [];
    const run = runAddress(repo, links, job.runId);
    return {
      id: job.id,
      url: `${repoAddress(repo, links)}/actions/jobs/${job.id}`,
      html_url: `${runPage(repo, links, job.runId)}/jobs/${job.id}`,
      run_id: job.runId,
      run_url: run,
      name: job.name,
      labels: [...job.runsOn],
      run_attempt: job.attempt,
      head_sha: job.commit,
      head_branch: branchOf(job.ref),
      ...statusFields(job.status),
      ...(job.runnerId === undefined ? {} : { runner_id: job.runnerId }),
      ...(job.runnerName ? { runner_name: job.runnerName } : {}),
      steps: (steps.get(job.taskId ?? 0) ?? []).map(stepResource),
      created_at: rfc3339(job.createdAt),
      started_at: timeOf(job.startedAt),
      completed_at: timeOf(job.stoppedAt),
    };
  });
}

/** One job. */
export function jobResource(services: Services, seen: SeenRepo, job: ListedJob): JobResource {
  const [resource] = jobResources(services, new Map([[seen.repo.id, seen]]), [job]);
  if (!resource) throw new Error("a job has a resource");
  return resource;
}

const stepResource = ({ name, position, startedAt, status, stoppedAt }: Step) => ({
  name,
  number: position,
  ...statusFields(status),
  started_at: timeOf(startedAt),
  completed_at: timeOf(stoppedAt),
});

export function taskResource({ links }: Pick<Services, "links">, seen: SeenRepo, task: ListedTask) {
  return {
    id: task.id,
    name: task.name,
    head_branch: shortRef(task.ref),
    head_sha: task.commit,
    run_number: task.runNumber,
    event: task.event,
    display_title: task.title,
    status: statusName(task.status),
    workflow_id: task.workflow,
    url: runPage(seen, links, task.runId),
    created_at: rfc3339(task.createdAt),
    updated_at: rfc3339(task.updatedAt),
    run_started_at: timeOf(task.startedAt),
  };
}

/** API address of a run. */
export const runAddress = (seen: SeenRepo, links: Services["links"], id: number): string =>
  `${repoAddress(seen, links)}/actions/runs/${id}`;

export const runPage = (seen: SeenRepo, links: Services["links"], id: number): string =>
  `${repoPage(seen, links)}/actions/runs/${id}`;

const timeOf = (milliseconds: number | undefined) => (milliseconds === undefined ? EPOCH_TIME : rfc3339(milliseconds));

const branchOf = (ref: string) => (ref.startsWith(BRANCHES) ? ref.slice(BRANCHES.length) : "");

/** A short ref for display: `main`, `v1`, `#7`. */
export function shortRef(ref: string): string {
  const pull = /^refs\/pull\/(\d+)\/head$/.exec(ref)?.[1];
  return pull === undefined ? ref.replace(/^refs\/(heads|tags)\//, "") : `#${pull}`;
}

function statusFields(status: Status) {
  const shown = shownStatus(status);
  return { status: shown.status, ...(shown.conclusion === undefined ? {} : { conclusion: shown.conclusion }) };
}

/** The users as the viewer may see them: Actions itself for scheduled runs, the ghost for hidden or deleted ones. */
function peopleOf(
  services: NeededServices,
  viewer: Principal,
  ids: readonly (number | undefined)[],
): (id: number | undefined, event: string) => UserResource {
  const { identity } = services;
  const users = identity.byIds([...new Set(ids.flatMap((id) => id ?? []))]);
  const shown = [ghost, actionsUser, ...[...users.values()].filter((user) => identity.sees(viewer, user))];
  const resources = new Map(userResources(services, viewer, shown).map((resource) => [resource.id, resource]));
  const nobody = resources.get(ghost.id);
  if (!nobody) throw new Error("the ghost has a resource");
  return (id, event) => resources.get(id ?? (event === "schedule" ? actionsUser.id : ghost.id)) ?? nobody;
}
