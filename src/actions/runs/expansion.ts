import { Failure } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import { jobCredential } from "../tokens/readers.ts";
import type { CalledFileNeeds } from "../workflows/called.ts";
import { readCalled } from "../workflows/called.ts";
import { outputsOfCall, planAgain, planCall } from "../workflows/planner.ts";
import type { NeedResult } from "../workflows/types.ts";
import type { OpenJob } from "./jobs-store.ts";
import * as jobStore from "./jobs-store.ts";
import { areNeedsDone, siblingsOf } from "./needs.ts";
import { isDone, Status } from "./statuses.ts";
import type { GroupedRun } from "./store.ts";
import * as store from "./store.ts";
import type { RunMachine, TurnParts } from "./turn.ts";
import { isOfStranger } from "./types.ts";

export interface ExpansionParts extends TurnParts {
  readonly called: CalledFileNeeds;
  readonly log: Log;
  readonly machine: RunMachine;
  readonly pool: WorkerPool;
}

/** Per run, including calls and their jobs. */
const MAX_JOBS = 256;
const MAX_NESTING = 9;

/** The workflow's author asked for something impossible: only this job fails. */
class CannotPlan extends Error {
  override name = "CannotPlan";
}

/**
 * Plans jobs that have to wait for their needs: those whose matrix or labels depend on them, and calls of other
 * workflows (contract actions.md 3.3, 3.10).
 */
export class JobExpansion {
  constructor(private readonly parts: ExpansionParts) {}

  async expand(jobId: number): Promise<void> {
    const { db, log, machine } = this.parts;
    const job = jobStore.findJob(db, jobId);
    const run = job && store.findRun(db, job.runId);
    if (!job || !run || run.attempt !== job.attempt || isDone(job.status)) return;
    try {
      if (job.plan.called !== undefined) await this.findOutputs(run, job);
      else if (job.status === Status.blocked && job.plan.isOpen) await this.planAgain(run, job);
      else if (job.status === Status.blocked && job.plan.call) await this.call(run, job);
    } catch (error) {
      if (!(error instanceof CannotPlan || error instanceof JobFailed || error instanceof Failure)) throw error;
      log.info("a job of a workflow could not be planned", { job: jobId, reason: error.message });
      machine.turn((turn) => {
        if (isBlockedStill(jobStore.findJob(db, jobId)) || job.plan.called !== undefined) turn.fail(jobId, run.id);
      });
    }
  }

  private async planAgain(run: GroupedRun, job: OpenJob): Promise<void> {
    const { db, machine, pool } = this.parts;
    const plans = await planAgain(
      pool,
      this.sourceOf(run, job),
      job.key,
      this.contextsOf(run, job),
      this.parentOf(job)?.name,
    );
    machine.turn((turn) => {
      if (!isBlockedStill(jobStore.findJob(db, job.id))) return;
      const origin = jobStore.planOf(db, job.id);
      const { permissions, inputs } = origin;
      if (plans.length === 0) throw new CannotPlan("there is nothing to do");
      this.requireRoom(run, plans.length);
      jobStore.deleteJob(db, job.id);
      const added = plans.map((plan, index) => {
        const made = { ...plan, isOpen: false, inputs, permissions: plan.permissions ?? permissions };
        return jobStore.insertJob(db, { ...job, plan: index === 0 ? { ...made, origin } : made }, turn.now);
      });
      turn.replanned(run.id, added);
    });
  }

  private async call(run: GroupedRun, job: OpenJob): Promise<void> {
    const { called, db, facts, machine, pool } = this.parts;
    const { call } = job.plan;
    if (!call) return;
    if (this.nestingOf(job) >= MAX_NESTING) throw new CannotPlan("calls are nested too deeply");
    const within = this.parentOf(job)?.plan.called;
    const caller = {
      rights: jobCredential(db, facts.repo(run.repoId), { code: "read" }, isOfStranger(run)),
      repoId: within?.repoId ?? run.repoId,
      commit: within?.commit ?? run.sourceCommit,
    };
    const file = await readCalled(called, caller, call.uses);
    const { inputs, workflow } = await planCall(pool, {
      source: file.source,
      call,
      caller: this.contextsOf(run, job),
      callerName: job.name,
    });
    if (workflow.jobs.length === 0) throw new CannotPlan("the called workflow has no jobs");
    machine.turn((turn) => {
      if (!isBlockedStill(jobStore.findJob(db, job.id))) return;
      this.requireRoom(run, workflow.jobs.length);
      const plan = jobStore.planOf(db, job.id);
      const { commit, path, repoId, source } = file;
      jobStore.updatePlan(db, job.id, { ...plan, called: { commit, path, repoId, source, inputs } });
      const permissions = plan.permissions ?? workflow.permissions;
      const added = workflow.jobs.map((child) =>
        jobStore.insertJob(
          db,
          {
            runId: run.id,
            repoId: run.repoId,
            attempt: job.attempt,
            parentId: job.id,
            plan: { ...child, inputs: child.inputs ?? inputs, permissions: child.permissions ?? permissions },
          },
          turn.now,
        ),
      );
      turn.replanned(run.id, added);
    });
  }

  private async findOutputs(run: GroupedRun, call: OpenJob): Promise<void> {
    const { db, facts, machine, pool } = this.parts;
    const { called } = call.plan;
    const children = jobStore.jobsOfAttempt(db, run.id, run.attempt).filter(({ parentId }) => parentId === call.id);
    if (!called || !children.every(({ status }) => isDone(status))) return;
    const siblings = siblingsOf(children);
    // As if there were a job that needs them all.
    const all: Pick<OpenJob, "needs"> = { needs: [...siblings.keys()] };
    const results: Record<string, NeedResult> = facts.needs({ ...call, ...all }, siblings);
    const contexts = { ...facts.contextsOfRun(run), inputs: called.inputs };
    const outputs = await outputsOfCall(pool, called.source, contexts, results);
    machine.turn((turn) => {
      jobStore.updatePlan(db, call.id, { ...jobStore.planOf(db, call.id), outputs });
      turn.replanned(run.id, []);
    });
  }

  private contextsOf(run: GroupedRun, job: OpenJob) {
    const { db, facts } = this.parts;
    const jobs = jobStore.jobsOfAttempt(db, run.id, run.attempt).filter(({ parentId }) => parentId === job.parentId);
    const siblings = siblingsOf(jobs);
    if (!areNeedsDone(job, siblings)) throw new CannotPlan("its needs are not done");
    return facts.contextsOfJob(facts.contextsOfRun(run), job, facts.needs(job, siblings));
  }

  private sourceOf(run: GroupedRun, job: OpenJob): string {
    return this.parentOf(job)?.plan.called?.source ?? store.runTexts(this.parts.db, run.id).source;
  }

  private parentOf({ parentId }: OpenJob): OpenJob | undefined {
    return parentId === undefined ? undefined : jobStore.findJob(this.parts.db, parentId);
  }

  private nestingOf(job: OpenJob): number {
    const parent = this.parentOf(job);
    return parent ? 1 + this.nestingOf(parent) : 0;
  }

  private requireRoom({ attempt, id }: GroupedRun, more: number): void {
    if (jobStore.countJobs(this.parts.db, id, attempt) + more > MAX_JOBS)
      throw new CannotPlan("the run has too many jobs");
  }
}

const isBlockedStill = (job: OpenJob | undefined): boolean => job?.status === Status.blocked;
