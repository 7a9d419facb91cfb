import { atLeast } from "../../access/levels.ts";
import { BadRequest, Forbidden, NotFound } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { type Concurrency, concurrencyOf, ExpressionError } from "../workflows/evaluate.ts";
import type { OpenJob } from "./jobs-store.ts";
import * as jobStore from "./jobs-store.ts";
import { areNeedsAgain, callsAround, failedAgain, oneAgain } from "./reruns.ts";
import { isDone } from "./statuses.ts";
import type { GroupedRun } from "./store.ts";
import * as store from "./store.ts";
import type { RunMachine, Turn, TurnParts } from "./turn.ts";
import type { NewRun, Run } from "./types.ts";

export interface RunParts extends TurnParts {
  readonly machine: RunMachine;
  readonly maxAttempts: number;
}

/** Creates and changes runs (contract actions.md 2.6, 8.6); `RunLists` reads them. */
export class RunService {
  constructor(private readonly parts: RunParts) {}

  /** Reserves the ID and number of a run before planning: its expressions may use them. Unused numbers leave gaps. */
  reserve(repoId: number): { readonly id: number; readonly number: number } {
    const { db } = this.parts;
    return db.transaction(() => ({ id: store.reserveRunId(db), number: store.reserveRunNumber(db, repoId) }));
  }

  /**
   * Creates a run with its jobs and starts what can start. Joins a running transaction.
   * @returns undefined if a run with that cause exists already
   * @throws ExpressionError if its concurrency group is invalid
   */
  create(run: NewRun): Run | undefined {
    const { db, facts, machine } = this.parts;
    const { plan } = run;
    const { cancels, group } = plan.concurrency
      ? concurrencyOf(plan.concurrency, facts.contextsOfNew(run))
      : { group: "", cancels: false };
    return machine
      .turn((turn) => {
        const { plan: _, ...row } = run;
        if (
          !store.insertRun(
            db,
            row,
            { workflowName: plan.name, concurrency: plan.concurrency, group, cancels },
            turn.now,
          )
        )
          return undefined;
        store.insertAttempt(db, { runId: run.id, attempt: 1, userId: run.userId }, turn.now);
        for (const job of plan.jobs) {
          const stored = { ...job, permissions: job.permissions ?? plan.permissions };
          jobStore.insertJob(
            db,
            { runId: run.id, repoId: run.repoId, attempt: 1, parentId: undefined, plan: stored },
            turn.now,
          );
        }
        turn.began(run.id);
        return turn;
      })
      ?.present(run.id).run;
  }

  /** Cancels everything unfinished in the run. @throws NotFound; Forbidden if the caller may not write */
  cancel(seen: SeenRepo, id: number): void {
    this.requireWriter(seen);
    const { machine } = this.parts;
    machine.turn((turn) => turn.cancelRun(this.find(seen, id).id));
  }

  /**
   * Lets a stranger's run begin.
   * @throws NotFound; Forbidden without write access, or for a job: a person must have reviewed it
   */
  approve(seen: SeenRepo, id: number): void {
    this.requireWriter(seen);
    if (seen.principal.via === "job") throw new Forbidden("access.not-for-jobs");
    const { db, machine } = this.parts;
    machine.turn((turn) => {
      const run = this.find(seen, id);
      if (!run.needsApproval || isDone(run.status)) return;
      store.setApproved(db, id, seen.principal.user?.id, turn.now);
      turn.approved(id);
    });
  }

  /**
   * Re-runs all jobs, as another attempt.
   * @throws NotFound; Forbidden; BadRequest if it is unfinished, disabled, or has too many attempts
   */
  rerun(seen: SeenRepo, id: number): Run {
    return this.again(seen, id, (jobs) => new Set(jobs.map((job) => job.id))).run;
  }

  /** Re-runs failed and cancelled jobs and their dependants. @throws as `rerun`; BadRequest if none failed */
  rerunFailed(seen: SeenRepo, id: number): Run {
    return this.again(seen, id, (jobs) => {
      const failed = failedAgain(jobs);
      if (failed.size === 0) throw new BadRequest("actions.nothing-failed");
      return failed;
    }).run;
  }

  /** Re-runs one job of the last attempt and its dependants. @returns the new job's ID @throws as `rerun` */
  rerunJob(seen: SeenRepo, id: number, jobId: number): number {
    const { copies } = this.again(seen, id, (jobs) => {
      const job = jobs.find((one) => one.id === jobId);
      if (!job) throw new NotFound("actions.no-such-job");
      return oneAgain(jobs, job);
    });
    return copies.get(jobId) ?? jobId;
  }

  /**
   * Deletes a run with its logs and everything else.
   * @throws NotFound; Forbidden without write access; BadRequest if unfinished
   */
  delete(seen: SeenRepo, id: number): void {
    this.requireWriter(seen);
    const { db } = this.parts;
    db.transaction(() => {
      if (!isDone(this.find(seen, id).status)) throw new BadRequest("actions.run-not-done");
      store.deleteRun(db, id);
    });
  }

  /** Cancels the repository's scheduled runs. Joins a running transaction. */
  cancelSchedules(repoId: number): void {
    this.cancelOpen(repoId, "schedule");
  }

  /** Cancels all runs of a repository that may no longer run anything. Joins a running transaction. */
  cancelAll(repoId: number): void {
    this.cancelOpen(repoId, undefined);
  }

  private cancelOpen(repoId: number, event: string | undefined): void {
    const { db, machine } = this.parts;
    machine.turn((turn) => {
      for (const id of store.openRuns(db, repoId, event)) turn.cancelRun(id);
    });
  }

  /** @param chosen which jobs are re-run; the others are copied as they ended */
  private again(
    seen: SeenRepo,
    id: number,
    chosen: (jobs: readonly OpenJob[]) => Set<number>,
  ): { readonly run: Run; readonly copies: ReadonlyMap<number, number> } {
    this.requireWriter(seen);
    const { db, machine, maxAttempts } = this.parts;
    const { copies, turn } = machine.turn((current) => {
      const run = this.find(seen, id);
      const jobs = jobStore.jobsOfAttempt(db, id, run.attempt);
      const again = chosen(jobs);
      if (!isDone(run.status)) throw new BadRequest("actions.run-not-done");
      if (store.isWorkflowDisabled(db, run.repoId, run.workflow)) throw new BadRequest("actions.workflow-disabled");
      if (run.attempt >= maxAttempts)
        throw new BadRequest("actions.too-many-attempts", { params: { max: maxAttempts } });
      const next = { ...run, attempt: run.attempt + 1 };
      store.insertAttempt(db, { runId: id, attempt: next.attempt, userId: seen.principal.user?.id }, current.now);
      store.setAttempt(db, next, this.groupAgain(next));
      const made = this.copyJobs(next, jobs, again, current);
      current.began(id);
      return { copies: made, turn: current };
    });
    return { run: turn.present(id).run, copies };
  }

  /** Evaluates the group again: inputs, variables and who runs it may differ. @throws BadRequest if that fails */
  private groupAgain(run: GroupedRun): Concurrency {
    const { db, facts } = this.parts;
    const text = store.runConcurrency(db, run.id);
    if (!text) return { group: run.group, cancels: run.groupCancels };
    try {
      return concurrencyOf(text, facts.contextsOfRun(run));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new BadRequest("actions.bad-workflow", { params: { problem: error.message } });
    }
  }

  private copyJobs(
    { attempt, id, repoId }: GroupedRun,
    jobs: readonly OpenJob[],
    again: ReadonlySet<number>,
    { now }: Turn,
  ): Map<number, number> {
    const { db } = this.parts;
    const around = callsAround(jobs, again);
    const copies = new Map<number, number>();
    // Jobs expanded from a matrix over outputs: they are planned again when the needs that gave those are re-run.
    const opened = new Map<string, number>();
    for (const job of jobs) {
      const parentId = job.parentId === undefined ? undefined : copies.get(job.parentId);
      // Jobs of a re-run call are planned again.
      if (job.parentId !== undefined && (parentId === undefined || again.has(job.parentId))) continue;
      const { called, outputs, ...plan } = jobStore.planOf(db, job.id);
      const copy = { runId: id, repoId, attempt, parentId };
      const place = `${job.parentId} ${job.key}`;
      const { origin } = plan;
      if (origin && areNeedsAgain(job, jobs, again))
        opened.set(place, jobStore.insertJob(db, { ...copy, plan: origin }, now));
      const open = opened.get(place);
      if (open !== undefined) {
        copies.set(job.id, open);
        continue;
      }
      const made = again.has(job.id)
        ? jobStore.insertJob(db, { ...copy, plan }, now)
        : around.has(job.id)
          ? jobStore.insertJob(db, { ...copy, plan: { ...plan, called } }, now)
          : jobStore.insertJob(db, { ...copy, plan: { ...plan, called, outputs }, done: job }, now);
      copies.set(job.id, made);
    }
    return copies;
  }

  /** @throws NotFound */
  private find({ access, repo }: SeenRepo, id: number): GroupedRun {
    const run = atLeast(access.on("actions"), "read") ? store.findRun(this.parts.db, id) : undefined;
    if (run?.repoId !== repo.id) throw new NotFound("actions.no-such-run", { params: { id } });
    return run;
  }

  private requireWriter({ access }: SeenRepo): void {
    if (!atLeast(access.on("actions"), "read")) throw new NotFound();
    if (!atLeast(access.on("actions"), "write")) throw new Forbidden("repository.needs-write");
  }
}
