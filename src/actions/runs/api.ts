import type { Principal } from "../../access/principal.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { flagParam, type ListCall, lists, type ValuesOf } from "../../http/query.ts";
import { json, pageHeaders } from "../../http/respond.ts";
import { type Access, type Call, idParam, type Route } from "../../http/route.ts";
import { ownAccount } from "../../identity/access.ts";
import { actionsUser } from "../../identity/system-users.ts";
import type { Slice } from "../../kernel/paging.ts";
import { organizationMember } from "../../organizations/access.ts";
import { seenOrganization } from "../../organizations/subject.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { actionsOfSite, readsRuns, signedInReadsRuns } from "../access.ts";
import type { JobQuery } from "./lists.ts";
import { jobFilters, jobOrder, runFilters } from "./query.ts";
import {
  JobResource,
  JobsResource,
  jobResource,
  jobResources,
  RunResource,
  type RunResourceOptions,
  RunsResource,
  runResource,
  runResources,
  TasksResource,
  taskResource,
} from "./resource.ts";
import type { ListedJob, Run, RunFilter } from "./types.ts";

export const actionsPath = "/api/v1/repos/:owner/:repo/actions";

/** An address that lists runs and jobs, and the scope of those lists. */
interface ListPlace {
  readonly path: string;
  readonly tag: string;
  readonly ids: { readonly runs: string; readonly jobs: string };
  readonly what: string;
  readonly access: Access;
  runs(call: ListCall, filter: RunFilter): Slice<Run>;
  jobs(call: ListCall, query: JobQuery): Slice<ListedJob>;
}

/** Reading runs and jobs over REST (contract actions.md 8.6 to 8.8). */
export function runReadingRoutes(services: Services): Route[] {
  return [...placesOf(services).flatMap((place) => listRoutes(services, place)), ...repoRoutes(services)];
}

function placesOf({ actionsRunLists }: Services): ListPlace[] {
  return [
    {
      path: actionsPath,
      tag: "repository",
      ids: { runs: "getWorkflowRuns", jobs: "listWorkflowJobs" },
      what: "a repository",
      access: signedInReadsRuns,
      runs: (call, filter) => actionsRunLists.page(seenRepo(call), filter, call.paging),
      jobs: (call, query) => actionsRunLists.jobsOf(seenRepo(call), query, call.paging),
    },
    {
      path: "/api/v1/orgs/:org/actions",
      tag: "organization",
      ids: { runs: "getOrgWorkflowRuns", jobs: "getOrgWorkflowJobs" },
      what: "an organization's repositories",
      access: organizationMember,
      runs: (call, filter) => actionsRunLists.pageOfOrganization(seenOrganization(call), filter, call.paging),
      jobs: (call, query) => actionsRunLists.jobsOfOrganization(seenOrganization(call), query, call.paging),
    },
    {
      path: "/api/v1/user/actions",
      tag: "user",
      ids: { runs: "getUserWorkflowRuns", jobs: "getUserWorkflowJobs" },
      what: "the authenticated user's repositories",
      access: ownAccount,
      runs: (call, filter) => actionsRunLists.pageOfOwn(call.principal, filter, call.paging),
      jobs: (call, query) => actionsRunLists.jobsOfOwn(call.principal, query, call.paging),
    },
    {
      path: "/api/v1/admin/actions",
      tag: "admin",
      ids: { runs: "listAdminWorkflowRuns", jobs: "listAdminWorkflowJobs" },
      what: "the whole site",
      access: actionsOfSite,
      runs: (call, filter) => actionsRunLists.pageOfSite(call.principal, filter, call.paging),
      jobs: (call, query) => actionsRunLists.jobsOfSite(call.principal, query, call.paging),
    },
  ];
}

function listRoutes(services: Services, place: ListPlace): Route[] {
  const { access, ids, path, tag, what } = place;
  const api = { surface: "api", method: "GET", access } as const;
  const answers = {
    400: { description: "There is no such status." },
    404: { description: "There is nothing with that name, or Actions is disabled." },
  };
  // The contract has this parameter only for repositories; it does no harm elsewhere.
  const filters = { ...runFilters, exclude_pull_requests: flagParam("Leave out the pull requests.", false) };
  return [
    {
      ...api,
      path: `${path}/runs`,
      doc: {
        id: ids.runs,
        tag,
        summary: `List the runs of ${what}`,
        answers: { 200: { description: "Newest first.", schema: RunsResource }, ...answers },
      },
      ...lists(filters, (call, query) =>
        runsAnswer(
          services,
          call,
          withFilter(services, query, call.principal, (filter) => place.runs(call, filter)),
          {
            withoutPulls: query.exclude_pull_requests,
          },
        ),
      ),
    },
    {
      ...api,
      path: `${path}/jobs`,
      doc: {
        id: ids.jobs,
        tag,
        summary: `List the jobs of ${what}`,
        answers: {
          200: { description: "Oldest first by default.", schema: JobsResource },
          ...answers,
          422: { description: "There is no such order." },
        },
      },
      ...lists({ ...jobFilters, ...jobOrder }, (call, { order, status }) =>
        jobsAnswer(services, call, place.jobs(call, { statuses: status, order })),
      ),
    },
  ];
}

function repoRoutes(services: Services): Route[] {
  const { actionsRunLists, links } = services;
  const api = { surface: "api", method: "GET" } as const;
  const tag = "repository";
  const params = { run: "Number of the run on the site (its `id`)." };
  const runOf = (call: Call): Run => actionsRunLists.get(seenRepo(call), idParam(call, "run"));
  const missing = { 404: { description: "There is no such run in this repository." } };
  const run = { description: "The run.", schema: RunResource };
  const jobs = { description: "Oldest first by default.", schema: JobsResource };
  const badStatus = { 400: { description: "There is no such status." } };
  return [
    {
      ...api,
      path: `${actionsPath}/runs/:run`,
      access: readsRuns,
      doc: { id: "GetWorkflowRun", tag, summary: "Get a run", params, answers: { 200: run, ...missing } },
      handle: (call) => json(runResource(services, seenRepo(call), runOf(call))),
    },
    {
      ...api,
      path: `${actionsPath}/runs/:run/attempts/:attempt`,
      access: readsRuns,
      doc: {
        id: "getWorkflowRunAttempt",
        tag,
        summary: "Get an attempt of a run",
        params: { ...params, attempt: "Number of the attempt, from 1." },
        answers: { 200: run, ...missing },
      },
      handle: (call) => {
        const found = runOf(call);
        const attempt = actionsRunLists.attempt(found, idParam(call, "attempt"));
        return json(runResource(services, seenRepo(call), found, { attempt }));
      },
    },
    {
      ...api,
      path: `${actionsPath}/runs/:run/attempts/:attempt/jobs`,
      access: readsRuns,
      doc: {
        id: "listWorkflowRunAttemptJobs",
        tag,
        summary: "List the jobs of an attempt of a run",
        params: { ...params, attempt: "Number of the attempt, from 1." },
        answers: { 200: jobs, ...badStatus, ...missing },
      },
      ...lists(jobFilters, (call, { status }) => {
        const found = runOf(call);
        const { attempt } = actionsRunLists.attempt(found, idParam(call, "attempt"));
        return jobsAnswer(
          services,
          call,
          actionsRunLists.jobsOfAttempt(found, attempt, { statuses: status }, call.paging),
        );
      }),
    },
    {
      ...api,
      path: `${actionsPath}/runs/:run/jobs`,
      access: readsRuns,
      doc: {
        id: "listWorkflowRunJobs",
        tag,
        summary: "List the jobs of the last attempt of a run",
        params,
        answers: { 200: jobs, ...badStatus, ...missing, 422: { description: "There is no such order." } },
      },
      ...lists({ ...jobFilters, ...jobOrder }, (call, { order, status }) => {
        const found = runOf(call);
        const query = { statuses: status, order };
        return jobsAnswer(services, call, actionsRunLists.jobsOfAttempt(found, found.attempt, query, call.paging));
      }),
    },
    {
      ...api,
      path: `${actionsPath}/jobs/:job_id`,
      access: signedInReadsRuns,
      doc: {
        id: "getWorkflowJob",
        tag,
        summary: "Get a job",
        params: { job_id: "Number of the job." },
        answers: {
          200: { description: "The job.", schema: JobResource },
          404: { description: "There is no such job in this repository." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        return json(jobResource(services, seen, actionsRunLists.job(seen, idParam(call, "job_id"))));
      },
    },
    {
      ...api,
      path: `${actionsPath}/tasks`,
      access: readsRuns,
      doc: {
        id: "ListActionTasks",
        tag,
        summary: "List the tasks, the jobs that runners have taken",
        answers: { 200: { description: "Newest first.", schema: TasksResource } },
      },
      ...lists({}, (call) => {
        const seen = seenRepo(call);
        const { items, total } = actionsRunLists.tasks(seen, call.paging);
        const body = { workflow_runs: items.map((task) => taskResource(services, seen, task)), total_count: total };
        return json(body, 200, pageHeaders(total, { rootUrl: links.rootUrl, ...call }));
      }),
    },
  ];
}

const nothing: Slice<Run> = { items: [], total: 0 };

/** What `list` returns for the query's filter. A nonexistent or hidden account started no runs. */
export function withFilter(
  { identity }: Pick<Services, "identity">,
  query: ValuesOf<typeof runFilters>,
  viewer: Principal,
  list: (filter: RunFilter) => Slice<Run>,
): Slice<Run> {
  const { actor, branch, event, head_sha: commit, status: statuses } = query;
  const name = actor.toLowerCase();
  const isOwn = name === actionsUser.login;
  const user = name === "" || isOwn ? undefined : identity.seenByLogins(viewer, [name]).get(name);
  if (name !== "" && !isOwn && !user) return nothing;
  return list({
    event: event || undefined,
    ref: branch === "" ? undefined : BRANCHES + branch,
    commit: commit || undefined,
    userId: isOwn ? null : user?.id,
    statuses,
  });
}

/** A page of runs, of one repository or several. */
export function runsAnswer(
  services: Services,
  call: ListCall,
  { items, total }: Slice<Run>,
  options: RunResourceOptions = {},
): Response {
  const runs = runResources(services, call.principal, seenOf(services, call, items), items, options);
  const body = { workflow_runs: runs, total_count: total };
  return json(body, 200, pageHeaders(total, { rootUrl: services.links.rootUrl, ...call }));
}

function jobsAnswer(services: Services, call: ListCall, { items, total }: Slice<ListedJob>): Response {
  const body = { jobs: jobResources(services, seenOf(services, call, items), items), total_count: total };
  return json(body, 200, pageHeaders(total, { rootUrl: services.links.rootUrl, ...call }));
}

/** The repositories of listed items, by ID. */
function seenOf(
  { repos }: Pick<Services, "repos">,
  { found, principal }: Call,
  items: readonly { readonly repoId: number }[],
): Map<number, SeenRepo> {
  if (found.repository) return new Map([[found.repository.repo.id, found.repository]]);
  const ids = [...new Set(items.map(({ repoId }) => repoId))];
  return new Map(repos.seeEach(principal, ids).map((seen) => [seen.repo.id, seen]));
}
