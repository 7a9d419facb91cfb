import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden } from "../../kernel/errors.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { Log } from "../../kernel/log.ts";
import type { LogRow, LogService } from "../logs/service.ts";
import type { RunnerService } from "../runners/service.ts";
import * as jobStore from "../runs/jobs-store.ts";
import { isDone, Status } from "../runs/statuses.ts";
import * as runs from "../runs/store.ts";
import type { RunMachine } from "../runs/turn.ts";
import type { Step, Task } from "../runs/types.ts";
import type { JobTokens } from "../tokens/service.ts";
import type { Runner } from "../types.ts";
import type { Assignment, Assignments } from "./assignment.ts";
import * as store from "./store.ts";

export interface TaskParts {
  readonly assignments: Assignments;
  readonly clock: Clock;
  readonly db: Database;
  readonly log: Log;
  readonly logs: LogService;
  readonly machine: RunMachine;
  readonly runners: RunnerService;
  readonly tokens: JobTokens;
}

/** A job for a runner, with its tokens. */
export interface GivenTask extends Assignment {
  readonly id: number;
  readonly token: string;
  readonly runtimeToken: string;
}

/** A runner's report on its task. */
export interface Report {
  readonly taskId: number;
  /** undefined: still running. */
  readonly result: Status | undefined;
  readonly stoppedAt: number | undefined;
  readonly steps: readonly Omit<Step, "name">[];
  readonly outputs: Readonly<Record<string, string>>;
}

/** Candidates tried in turn: a job that cannot be assembled must not block the others. */
const MAX_CANDIDATES = 16;
const MAX_OUTPUT_NAME_BYTES = 255;
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_OUTPUTS = 1000;
/** For all outputs of a task together. */
const MAX_OUTPUTS_BYTES = 16 << 20;
/** A runner's clock may be ahead. */
const MAX_AHEAD_MS = 60_000;

/** Lets runners take jobs and report on them (contract actions.md 6.6 to 6.8). */
export class TaskService {
  constructor(private readonly parts: TaskParts) {}

  /**
   * Assigns to the runner the longest-waiting job that it may take and has the labels for.
   * @param signal aborted when the runner disconnects: the job then waits again
   * @returns undefined if there is none
   */
  async claim(runner: Runner, signal: AbortSignal): Promise<GivenTask | undefined> {
    const { db, log, tokens } = this.parts;
    if (runner.isDisabled || signal.aborted || (runner.isEphemeral && store.hasTask(db, runner.id))) return undefined;
    for (const { id, runId } of store.waitingJobs(db, runner, runner.labels, MAX_CANDIDATES)) {
      try {
        const { assignment, taskId, token } = this.take(runner, id, runId);
        const release = () => this.release(taskId);
        signal.addEventListener("abort", release, { once: true });
        try {
          const runtimeToken = await tokens.runtimeToken({ id: taskId, jobId: id, runId });
          return { ...assignment, id: taskId, token, runtimeToken };
        } catch (error) {
          release();
          throw error;
        }
      } catch (error) {
        log.error("a job could not be put together for its runner", { error, job: id });
      }
    }
    return undefined;
  }

  /** @returns the task's status on the server, and the outputs it stored @throws Forbidden for another runner's task */
  report(
    runner: Runner,
    { outputs, result, steps, stoppedAt, taskId }: Report,
  ): { readonly status: Status; readonly sentOutputs: string[] } {
    const { clock, db, machine } = this.parts;
    return db.transaction(() => {
      const task = this.taskOf(runner, taskId);
      if (!isDone(task.status)) {
        const now = clock();
        store.touchTask(db, taskId, now);
        this.noteActive(runner, now);
        this.addOutputs(taskId, outputs);
        const known = store.countSteps(db, taskId);
        for (const step of steps.slice(0, known)) if (step.position < known) store.updateStep(db, taskId, step);
        if (result !== undefined) {
          const status = task.status === Status.cancelling ? Status.cancelled : result;
          const stopped = Math.min(Math.max(stoppedAt ?? now, task.startedAt ?? 0), now + MAX_AHEAD_MS);
          store.endTask(db, taskId, status, stopped);
          store.deleteSpentRunner(db, taskId);
          const runId = jobStore.findJob(db, task.jobId)?.runId;
          if (runId !== undefined) machine.turn((turn) => turn.ended(task.jobId, runId, status, stopped));
        }
      }
      const status = store.findTask(db, taskId)?.status ?? task.status;
      return { status, sentOutputs: [...store.outputSizes(db, taskId).keys()] };
    });
  }

  /**
   * @returns how many rows there are now
   * @throws Forbidden for another runner's task; Conflict if the log is closed and there are more rows
   */
  async addRows(
    runner: Runner,
    { index, isLast, rows, taskId }: { taskId: number; index: number; rows: readonly LogRow[]; isLast: boolean },
  ): Promise<number> {
    const { clock, db, logs } = this.parts;
    const task = this.taskOf(runner, taskId);
    const now = clock();
    if (!isDone(task.status)) db.transaction(() => store.touchTask(db, taskId, now));
    this.noteActive(runner, now);
    return logs.append(taskId, index, rows, isLast);
  }

  /** Ends a task from the server's side. */
  stop(task: Task, status: Status): void {
    const { db, machine } = this.parts;
    machine.turn((turn) => {
      const job = jobStore.findJob(db, task.jobId);
      const present = store.findTask(db, task.id);
      if (!job || !present || isDone(present.status)) return;
      turn.endTask(job, task.id, present.status === Status.cancelling ? Status.cancelled : status);
    });
  }

  /** Ends the tasks of a runner that is about to be deleted. Joins a running transaction. */
  stopAllOf(runnerId: number): void {
    for (const task of store.openTasksOfRunner(this.parts.db, runnerId)) this.stop(task, Status.failure);
  }

  private take(runner: Runner, jobId: number, runId: number) {
    const { assignments, db, machine } = this.parts;
    const token = randomHex(20);
    return machine.turn((turn) => {
      const run = runs.findRun(db, runId);
      const job = jobStore.findJob(db, jobId);
      if (!run || job?.status !== Status.waiting) throw new Error("the job waits no more");
      const assignment = assignments.of(run, job);
      const taskId = store.insertTask(
        db,
        { jobId, repoId: job.repoId, runnerId: runner.id, runnerName: runner.name, tokenHash: sha256Hex(token) },
        turn.now,
      );
      store.insertSteps(db, taskId, jobStore.planOf(db, jobId).stepNames);
      turn.claimed(jobId, runId, taskId);
      return { assignment, taskId, token };
    });
  }

  /** The task never reached the runner. */
  private release(taskId: number): void {
    const { db, machine } = this.parts;
    machine.turn((turn) => {
      const task = store.findTask(db, taskId);
      const job = task && jobStore.findJob(db, task.jobId);
      if (!job || task.status !== Status.running || task.updatedAt !== task.createdAt) return;
      store.deleteTask(db, taskId);
      turn.released(job.id, job.runId);
    });
  }

  private taskOf(runner: Runner, taskId: number): Task {
    const task = store.findTask(this.parts.db, taskId);
    if (task?.runnerId !== runner.id) throw new Forbidden("actions.foreign-task");
    return task;
  }

  private noteActive(runner: Runner, now: number): void {
    this.parts.runners.noteActive(runner, now);
  }

  private addOutputs(taskId: number, outputs: Readonly<Record<string, string>>): void {
    const { db } = this.parts;
    const present = store.outputSizes(db, taskId);
    let total = [...present.values()].reduce((sum, size) => sum + size, 0);
    for (const [name, value] of Object.entries(outputs)) {
      const size = Buffer.byteLength(value);
      const fits = Buffer.byteLength(name) <= MAX_OUTPUT_NAME_BYTES && size <= MAX_OUTPUT_BYTES;
      if (!fits || present.has(name) || present.size >= MAX_OUTPUTS || total + size > MAX_OUTPUTS_BYTES) continue;
      store.addOutput(db, taskId, name, value);
      present.set(name, size);
      total += size;
    }
  }
}
