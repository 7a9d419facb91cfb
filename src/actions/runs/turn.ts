import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Repo } from "../../repos/types.ts";
import type { RunnerService } from "../runners/service.ts";
import * as tasks from "../tasks/store.ts";
import { concurrencyOf, conditionHolds, ExpressionError } from "../workflows/evaluate.ts";
import type { Contexts } from "../workflows/types.ts";
import { actionsPrincipal, type RunChecks } from "./checks.ts";
import type { RunFactsReader } from "./facts.ts";
import type { OpenJob } from "./jobs-store.ts";
import * as jobStore from "./jobs-store.ts";
import { areNeedsDone, conditionFacts, type Siblings, siblingsOf, statusOfCells } from "./needs.ts";
import { isDone, Status } from "./statuses.ts";
import type { GroupedRun } from "./store.ts";
import * as store from "./store.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Expands a job that had to wait to be planned, or determines a call's outputs. */
    "actions.expand-job": { readonly jobId: number };
  }
}

export interface TurnParts {
  readonly checks: RunChecks;
  readonly clock: Clock;
  readonly db: Database;
  readonly facts: RunFactsReader;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly runners: RunnerService;
}

/** A runner that called this recently will be notified that its job is cancelled, and ends it itself. */
const CALLED_LATELY_MS = 60_000;

/** A run and the jobs of its last attempt, in their current state. */
interface Present {
  run: GroupedRun;
  readonly jobs: Map<number, OpenJob>;
}

const isPending = (status: Status) => status === Status.waiting || status === Status.blocked;
const isUnderWay = (status: Status) => status === Status.running || status === Status.cancelling;

/**
 * One change to runs and everything that follows from it (contract actions.md 1.3), in one transaction: jobs whose
 * needs are done start or are skipped, groups become free, runs get their status. Finally, events and checks report
 * each difference once. Created by `RunMachine`.
 */
export class Turn {
  readonly now: number;
  private readonly runs = new Map<number, Present>();
  private readonly unsettled = new Set<number>();
  /** The previous status; undefined for a new job. */
  private readonly changedJobs = new Map<number, { readonly runId: number; readonly from: Status | undefined }>();
  /** undefined: a new run, or a new attempt of one. */
  private readonly changedRuns = new Map<number, Status | undefined>();
  private readonly reposWithWork = new Set<number>();
  private readonly repos = new Map<number, Repo>();

  constructor(private readonly parts: TurnParts) {
    this.now = parts.clock();
  }

  /** @throws Error if it has been deleted */
  present(runId: number): Present {
    const known = this.runs.get(runId);
    if (known) return known;
    const run = store.findRun(this.parts.db, runId);
    if (!run) throw new Error("a run that changes is there");
    const jobs = jobStore.jobsOfAttempt(this.parts.db, runId, run.attempt);
    const present = { run, jobs: new Map(jobs.map((job) => [job.id, job])) };
    this.runs.set(runId, present);
    return present;
  }

  /** A run, or an attempt of one, was just created with its jobs. */
  began(runId: number): void {
    this.runs.delete(runId);
    const { jobs, run } = this.present(runId);
    this.changedRuns.set(runId, undefined);
    for (const job of jobs.values()) if (!isDone(job.status)) this.changedJobs.set(job.id, { runId, from: undefined });
    if (!run.needsApproval) this.enterGroup(run);
    this.unsettled.add(runId);
  }

  /** Jobs were added to a run or removed from it. */
  replanned(runId: number, added: readonly number[]): void {
    this.runs.delete(runId);
    for (const id of added) this.changedJobs.set(id, { runId, from: undefined });
    this.unsettled.add(runId);
  }

  approved(runId: number): void {
    this.runs.delete(runId);
    this.enterGroup(this.present(runId).run);
    this.unsettled.add(runId);
  }

  claimed(jobId: number, runId: number, taskId: number): void {
    this.set(this.job(runId, jobId), { status: Status.running, taskId, startedAt: this.now });
  }

  /** The job was claimed but never reached the runner. */
  released(jobId: number, runId: number): void {
    this.set(this.job(runId, jobId), { status: Status.waiting, taskId: undefined, startedAt: undefined });
  }

  /** The job's task ended. */
  ended(jobId: number, runId: number, status: Status, stoppedAt: number): void {
    this.set(this.job(runId, jobId), { status, stoppedAt });
  }

  cancelRun(runId: number): void {
    for (const job of this.present(runId).jobs.values()) this.cancelJob(job);
    this.unsettled.add(runId);
  }

  /** The job waited too long. */
  cancelOne(jobId: number, runId: number): void {
    const job = this.present(runId).jobs.get(jobId);
    // Only the last attempt has unfinished jobs.
    if (job && isPending(job.status)) this.cancelJob(job);
  }

  /** The job could not be planned. */
  fail(jobId: number, runId: number): void {
    this.set(this.job(runId, jobId), { status: Status.failure, startedAt: this.now, stoppedAt: this.now });
  }

  /** Carries out all consequences; call it once, last. */
  finish(): void {
    for (const runId of this.unsettled) {
      this.unsettled.delete(runId);
      this.settle(this.present(runId));
    }
    for (const repoId of this.reposWithWork) this.parts.runners.raiseVersions({ repoId, ownerId: undefined });
    for (const [runId, from] of this.changedRuns) if (from === undefined) this.tellRun(runId, from);
    for (const [jobId, { from, runId }] of this.changedJobs) this.tellJob(jobId, runId, from);
    for (const [runId, from] of this.changedRuns)
      if (from !== undefined && from !== this.present(runId).run.status) this.tellRun(runId, from);
  }

  private job(runId: number, jobId: number): OpenJob {
    const job = this.present(runId).jobs.get(jobId);
    if (!job) throw new Error("the job belongs to the run's last attempt");
    return job;
  }

  private set(
    job: OpenJob,
    change: Pick<OpenJob, "status"> & Partial<Pick<OpenJob, "startedAt" | "stoppedAt" | "taskId">>,
  ): void {
    const changed = { ...this.job(job.runId, job.id), ...change };
    jobStore.updateJobState(this.parts.db, changed, this.now);
    this.present(job.runId).jobs.set(job.id, changed);
    if (!this.changedJobs.has(job.id)) this.changedJobs.set(job.id, { runId: job.runId, from: job.status });
    if (change.status === Status.waiting || isDone(change.status)) this.reposWithWork.add(job.repoId);
    if (isDone(change.status)) this.wake(job.repoId, changed.group);
    this.unsettled.add(job.runId);
  }

  private cancelJob(job: OpenJob): void {
    const { db } = this.parts;
    if (job.plan.called !== undefined) return;
    if (isPending(job.status)) this.set(job, { status: Status.cancelled, stoppedAt: this.now });
    if (job.status !== Status.running || job.taskId === undefined) return;
    if (tasks.stopsByItself(db, job.taskId, this.now - CALLED_LATELY_MS)) {
      tasks.setTaskStatus(db, job.taskId, Status.cancelling);
      this.set(job, { status: Status.cancelling });
    } else {
      this.endTask(job, job.taskId, Status.cancelled);
    }
  }

  /** Ends a task from the server's side, whatever its runner does. */
  endTask(job: Pick<OpenJob, "id" | "runId">, taskId: number, status: Status): void {
    const { db } = this.parts;
    tasks.endTask(db, taskId, status, this.now);
    tasks.closeLog(db, taskId);
    tasks.deleteSpentRunner(db, taskId);
    this.ended(job.id, job.runId, status, this.now);
  }

  /** Starts what can start until nothing more can, and determines the run's status. */
  private settle(present: Present): void {
    const { jobs, run } = present;
    if (!run.needsApproval) {
      for (let goesOn = true; goesOn; ) {
        this.countCalls(present);
        const families = Map.groupBy(jobs.values(), ({ parentId }) => parentId);
        const siblings = new Map([...families].map(([parentId, family]) => [parentId, siblingsOf(family)]));
        goesOn = false;
        for (const id of [...jobs.keys()]) {
          // Read its current state: an earlier start may have cancelled other jobs of its group.
          const job = jobs.get(id);
          if (job?.status !== Status.blocked || job.plan.called !== undefined) continue;
          const isStarted = this.start(present, job, siblings.get(job.parentId) ?? new Map());
          // A job that waits for a runner does not let others begin.
          goesOn ||= isStarted && jobs.get(id)?.status !== Status.waiting;
        }
      }
    }
    this.countCalls(present);
    this.countRun(present);
  }

  /** @returns whether it is no longer blocked */
  private start({ run }: Present, job: OpenJob, siblings: Siblings<OpenJob>): boolean {
    if (!areNeedsDone(job, siblings) || this.isHeld(run)) return false;
    try {
      const contexts = this.contextsOf(run, job, siblings);
      const isAsked = job.needs.length > 0 || (job.plan.call !== undefined && job.plan.condition !== undefined);
      if (isAsked && !conditionHolds(job.plan.condition, contexts(), conditionFacts(job, siblings))) {
        this.set(job, { status: Status.skipped, stoppedAt: this.now });
        return true;
      }
      if (!job.plan.isOpen && this.waitsForGroup(job, contexts)) return false;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.fail(job.id, job.runId);
      return true;
    }
    if (job.plan.isOpen || job.plan.call) {
      this.expandLater(job.id);
      return false;
    }
    this.set(job, { status: Status.waiting });
    return true;
  }

  /** Read lazily: most jobs need none of it. */
  private contextsOf(run: GroupedRun, job: OpenJob, siblings: Siblings<OpenJob>): () => Contexts {
    const { facts } = this.parts;
    return () => facts.contextsOfJob(facts.contextsOfRun(run), job, facts.needs(job, siblings));
  }

  private expandLater(jobId: number): void {
    this.parts.jobs.enqueue("actions.expand-job", { jobId }, { uniqueKey: `actions.expand-job:${jobId}` });
  }

  /** Updates calls from the jobs they contain; a call is done once its outputs are known. */
  private countCalls({ jobs }: Present): void {
    // Later calls have higher IDs, so the innermost come first.
    for (const call of [...jobs.values()].toReversed()) {
      if (call.plan.called === undefined || isDone(call.status)) continue;
      const children = [...jobs.values()].filter(({ parentId }) => parentId === call.id);
      const status = statusOfCells(children);
      const startedAt = call.startedAt ?? children.find((child) => child.startedAt !== undefined)?.startedAt;
      const hasOutputs = status === Status.success || status === Status.failure;
      if (hasOutputs && call.plan.outputs === undefined) {
        this.expandLater(call.id);
        if (call.status !== Status.running) this.set(call, { status: Status.running, startedAt });
      } else if (status !== call.status) {
        this.set(call, { status, startedAt, ...(isDone(status) ? { stoppedAt: this.now } : {}) });
      }
    }
  }

  private countRun(present: Present): void {
    const { jobs, run } = present;
    const status = statusOfCells([...jobs.values()].filter(({ parentId }) => parentId === undefined));
    const hasStarted = [...jobs.values()].some((job) => isUnderWay(job.status));
    const startedAt = run.startedAt ?? (hasStarted ? this.now : undefined);
    if (status === run.status && startedAt === run.startedAt) return;
    const stoppedAt = isDone(status) ? this.now : undefined;
    present.run = { ...run, status, startedAt, stoppedAt };
    store.updateRunState(this.parts.db, run, { status, startedAt, stoppedAt }, this.now);
    if (!this.changedRuns.has(run.id)) this.changedRuns.set(run.id, run.status);
    if (isDone(status)) this.wake(run.repoId, run.group);
  }

  /** Whether its group blocks the job, which joins the group when it could first start (contract actions.md 3.7). */
  private waitsForGroup(job: OpenJob, contexts: () => Contexts): boolean {
    const { db } = this.parts;
    const { concurrency } = job.plan;
    if (concurrency === undefined) return false;
    const entered = job.group !== "";
    const { cancels, group } = entered
      ? { group: job.group, cancels: job.groupCancels }
      : concurrencyOf(concurrency, contexts());
    if (group === "") return false;
    if (!entered) {
      jobStore.setJobGroup(db, job.id, group, cancels);
      this.present(job.runId).jobs.set(job.id, { ...job, group, groupCancels: cancels });
      this.displace({ repoId: job.repoId, runId: job.runId, jobId: job.id }, group, cancels);
    }
    return !cancels && this.isOccupied({ repoId: job.repoId, runId: job.runId, jobId: job.id }, group);
  }

  /** A run joins its group when it is created, approved or re-run. */
  private enterGroup(run: GroupedRun): void {
    if (run.group !== "")
      this.displace({ repoId: run.repoId, runId: run.id, jobId: undefined }, run.group, run.groupCancels);
  }

  /** Whether the run's group keeps it from starting. */
  private isHeld({ group, groupCancels, id, repoId, startedAt }: GroupedRun): boolean {
    if (group === "" || groupCancels || startedAt !== undefined) return false;
    return this.isOccupied({ repoId, runId: id, jobId: undefined }, group);
  }

  /** Only the newest waiting member of a group may wait. */
  private displace(newcomer: Member, group: string, cancels: boolean): void {
    for (const run of this.otherRuns(newcomer, group)) {
      if (!cancels && !isPending(run.status)) continue;
      this.cancelRun(run.id);
      this.settle(this.present(run.id));
    }
    for (const job of this.otherJobs(newcomer, group)) {
      if (!cancels && !isPending(job.status)) continue;
      this.cancelJob(this.job(job.runId, job.id));
    }
  }

  private isOccupied(newcomer: Member, group: string): boolean {
    const others = [...this.otherRuns(newcomer, group), ...this.otherJobs(newcomer, group)];
    return others.some(({ status }) => isUnderWay(status));
  }

  private otherRuns({ repoId, runId }: Member, group: string): GroupedRun[] {
    return store.groupRuns(this.parts.db, repoId, group, runId);
  }

  /** A run does not block its own jobs, nor they the run. */
  private otherJobs({ jobId, repoId, runId }: Member, group: string): OpenJob[] {
    const jobs = jobStore.groupJobs(this.parts.db, repoId, group, { jobId: jobId ?? 0 });
    return jobs.filter((job) => jobId !== undefined || job.runId !== runId);
  }

  /** A member left the group: those waiting in it are checked again. */
  private wake(repoId: number, group: string): void {
    if (group === "") return;
    for (const { id, status } of store.groupRuns(this.parts.db, repoId, group, 0))
      if (status === Status.blocked) this.unsettled.add(id);
    for (const { runId, status } of jobStore.groupJobs(this.parts.db, repoId, group, { jobId: 0 }))
      if (status === Status.blocked) this.unsettled.add(runId);
  }

  private tellRun(runId: number, from: Status | undefined): void {
    const { run } = this.present(runId);
    const { attempt, repoId, status } = run;
    this.parts.outbox.append("actions.run-changed", this.eventContext(repoId), { runId, attempt, status, from });
  }

  private tellJob(jobId: number, runId: number, from: Status | undefined): void {
    const { jobs, run } = this.present(runId);
    const job = jobs.get(jobId);
    if (!job || job.status === from) return;
    const { checks, identity, outbox } = this.parts;
    const { repoId, status } = job;
    outbox.append("actions.job-changed", this.eventContext(repoId), { runId, jobId, status });
    // The names and number of its jobs are not known yet.
    if (job.plan.call || (job.plan.isOpen && !isDone(status))) return;
    const repo = this.repo(repoId);
    checks.report(repo, identity.byId(repo.ownerId)?.login ?? "", run, job);
  }

  private repo(id: number): Repo {
    const known = this.repos.get(id);
    if (known) return known;
    const repo = this.parts.facts.repo(id);
    this.repos.set(id, repo);
    return repo;
  }

  private eventContext(repoId: number) {
    const { ownerId } = this.repo(repoId);
    return { repoId, ownerId, unit: "actions", principal: storedPrincipal(actionsPrincipal) } as const;
  }
}

/** What joins a group: a run, or one of its jobs. */
interface Member {
  readonly repoId: number;
  readonly runId: number;
  readonly jobId: number | undefined;
}

/** The only way to change runs and jobs. */
export class RunMachine {
  constructor(private readonly parts: TurnParts) {}

  turn<T>(work: (turn: Turn) => T extends Promise<unknown> ? never : T): T {
    return this.parts.db.transaction<T>(() => {
      const turn = new Turn(this.parts);
      const result = work(turn);
      turn.finish();
      return result;
    });
  }
}
