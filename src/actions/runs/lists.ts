import { atLeast } from "../../access/levels.ts";
import { accountOf, type Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import type { AccessControl } from "../../access/service.ts";
import type { Database } from "../../db/database.ts";
import { Forbidden, NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SeenOrganization } from "../../organizations/types.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { findTask } from "../tasks/store.ts";
import * as store from "./lists-store.ts";
import type { Status } from "./statuses.ts";
import { isWorkflowDisabled } from "./store.ts";
import type { Attempt, ListedJob, ListedTask, Run, RunFilter, Step, Task } from "./types.ts";

/** Filter and order of a list of jobs. */
export interface JobQuery {
  readonly statuses?: readonly Status[] | undefined;
  /** By creation time; the oldest first when absent. */
  readonly order?: "asc" | "desc" | undefined;
}

type Page = Pick<Paging, "limit" | "offset">;

/** Reads runs, their attempts, jobs, tasks and steps (contract actions.md 8.6 to 8.8). */
export class RunLists {
  constructor(
    private readonly db: Database,
    private readonly access: AccessControl,
  ) {}

  /** The runs of a repository, the newest first. @throws NotFound if they may not be read */
  page(seen: SeenRepo, filter: RunFilter, page: Page): Slice<Run> {
    requireReadable(seen);
    return this.runs({ repoId: seen.repo.id }, filter, page);
  }

  /** The runs of the account's own repositories. @throws Unauthorised if the caller has no account */
  pageOfOwn(principal: Principal, filter: RunFilter, page: Page): Slice<Run> {
    return this.runs(this.scopeOf(principal, accountOf(principal).id), filter, page);
  }

  /** The runs of an organization's repositories that the principal may read. @throws Forbidden for non-members */
  pageOfOrganization(seen: SeenOrganization, filter: RunFilter, page: Page): Slice<Run> {
    return this.runs(this.scopeOfOrganization(seen), filter, page);
  }

  /** All runs of the site. @throws Forbidden if the caller is no site administrator */
  pageOfSite(principal: Principal, filter: RunFilter, page: Page): Slice<Run> {
    requireSiteAdmin(principal, "read");
    return this.runs(this.scopeOf(principal, undefined), filter, page);
  }

  /** @throws NotFound, also for a run of another repository */
  get(seen: SeenRepo, id: number): Run {
    requireReadable(seen);
    const run = store.findRun(this.db, seen.repo.id, id);
    if (!run) throw new NotFound("actions.no-such-run", { params: { id } });
    return run;
  }

  /** Finds a run by its number in the repository; undefined if none has it, or if it is also a run's `id` there. */
  numbered(seen: SeenRepo, number: number): Run | undefined {
    requireReadable(seen);
    if (store.findRun(this.db, seen.repo.id, number)) return undefined;
    return store.findNumberedRun(this.db, seen.repo.id, number);
  }

  /** The newest run of a workflow on a ref; undefined if there is none. @param event empty: any */
  newest(seen: SeenRepo, workflow: string, ref: string, event: string): Run | undefined {
    requireReadable(seen);
    return store.newestRun(this.db, { repoId: seen.repo.id, workflow, ref, event });
  }

  /** A run's attempts in order. */
  attempts({ id }: Run): Attempt[] {
    return store.attemptsOf(this.db, id);
  }

  /** @throws NotFound */
  attempt({ id }: Run, attempt: number): Attempt {
    const found = store.findAttempt(this.db, id, attempt);
    if (!found) throw new NotFound("actions.no-such-attempt", { params: { id, attempt } });
    return found;
  }

  /** Who asked for the last attempt of each run, by run ID. */
  lastAskers(runs: readonly Run[]): Map<number, number | undefined> {
    return store.lastAskers(
      this.db,
      runs.map(({ id }) => id),
    );
  }

  /** All jobs of an attempt, in the order they were created. */
  jobs({ id }: Run, attempt: number): ListedJob[] {
    return store.jobsOfAttempt(this.db, id, attempt);
  }

  /** A page of an attempt's jobs. */
  jobsOfAttempt({ id }: Run, attempt: number, query: JobQuery, page: Page): Slice<ListedJob> {
    return this.listed({ runId: id, attempt }, query, page);
  }

  /** The jobs of a repository. @throws NotFound if they may not be read */
  jobsOf(seen: SeenRepo, query: JobQuery, page: Page): Slice<ListedJob> {
    requireReadable(seen);
    return this.listed({ repoId: seen.repo.id }, query, page);
  }

  /** The jobs of the account's own repositories. @throws Unauthorised if the caller has no account */
  jobsOfOwn(principal: Principal, query: JobQuery, page: Page): Slice<ListedJob> {
    return this.listed(this.scopeOf(principal, accountOf(principal).id), query, page);
  }

  /** The jobs of an organization's repositories that the principal may read. @throws Forbidden for non-members */
  jobsOfOrganization(seen: SeenOrganization, query: JobQuery, page: Page): Slice<ListedJob> {
    return this.listed(this.scopeOfOrganization(seen), query, page);
  }

  /** All jobs of the site. @throws Forbidden if the caller is no site administrator */
  jobsOfSite(principal: Principal, query: JobQuery, page: Page): Slice<ListedJob> {
    requireSiteAdmin(principal, "read");
    return this.listed(this.scopeOf(principal, undefined), query, page);
  }

  /** @throws NotFound, also for a job of another repository */
  job(seen: SeenRepo, id: number): ListedJob {
    requireReadable(seen);
    const job = store.findJob(this.db, seen.repo.id, id);
    if (!job) throw new NotFound();
    return job;
  }

  /** Whether the workflow is enabled: nobody has disabled it in the repository. */
  isEnabled({ repo }: SeenRepo, workflow: string): boolean {
    return !isWorkflowDisabled(this.db, repo.id, workflow);
  }

  /** The tasks that runners took from a repository, the newest first. @throws NotFound if they may not be read */
  tasks(seen: SeenRepo, page: Page): Slice<ListedTask> {
    requireReadable(seen);
    return store.listTasks(this.db, seen.repo.id, page);
  }

  /** The task of a job; undefined if no runner has taken it yet. */
  task({ taskId }: Pick<ListedJob, "taskId">): Task | undefined {
    return taskId === undefined ? undefined : findTask(this.db, taskId);
  }

  /** By task ID, each list in order. */
  steps(jobs: readonly Pick<ListedJob, "taskId">[]): Map<number, Step[]> {
    const taskIds = [...new Set(jobs.flatMap(({ taskId }) => taskId ?? []))];
    return taskIds.length === 0 ? new Map() : store.stepsOf(this.db, taskIds);
  }

  private runs(scope: store.ListScope, filter: RunFilter, page: Page): Slice<Run> {
    const { ids, total } = store.listRuns(this.db, scope, filter, page);
    return { items: store.runsById(this.db, ids), total };
  }

  private listed(scope: store.JobScope, { order = "asc", statuses }: JobQuery, page: Page): Slice<ListedJob> {
    const { ids, total } = store.listJobs(this.db, scope, { order, statuses }, page);
    return { items: store.jobsById(this.db, ids), total };
  }

  private scopeOfOrganization({ organization, principal, standing }: SeenOrganization): store.ListScope {
    if (standing === "none") throw new Forbidden("organization.needs-member");
    return this.scopeOf(principal, organization.id);
  }

  private scopeOf(principal: Principal, ownerId: number | undefined): store.ListScope {
    const { access } = this;
    return { ownerId, isVisible: access.repoCondition({ unit: "actions" }), params: access.params(principal) };
  }
}

/** @throws NotFound if the runs may not be read: their existence is hidden */
export function requireReadable({ access }: SeenRepo): void {
  if (!atLeast(access.on("actions"), "read")) throw new NotFound();
}
