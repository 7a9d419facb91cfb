import { JobFailed, JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { BadWorkflow } from "./failure.ts";
import type { CallPlan, CallText, Contexts, JobPlan, NeedResult, WorkflowPlan } from "./types.ts";

/**
 * Plans in a worker, since it evaluates a stranger's expressions. Each function fails with a `JobFailed` of
 * `BadWorkflow`, whose message gives the reason.
 */

const TIMEOUT_MS = 10_000;

/** Plans all jobs of a workflow. @param contexts without needs @throws JobFailed if the workflow is invalid */
export function planInWorker(pool: WorkerPool, source: string, contexts: Contexts): Promise<WorkflowPlan> {
  return inTime(pool.run("actions.plan", { source, contexts }, { timeoutMs: TIMEOUT_MS }));
}

/**
 * Plans a job whose matrix, name or labels depend on its needs, now that they are done.
 * @param callerName for a job of a called workflow: the name of the job that calls it
 * @throws JobFailed
 */
export function planAgain(
  pool: WorkerPool,
  source: string,
  key: string,
  contexts: Contexts,
  callerName?: string,
): Promise<JobPlan[]> {
  return inTime(pool.run("actions.planAgain", { source, key, contexts, callerName }, { timeoutMs: TIMEOUT_MS }));
}

/** The inputs for planning a call. */
export interface CallToPlan {
  /** The called file's text. */
  readonly source: string;
  readonly call: CallText;
  /** The caller's contexts: `with` may use its needs and its matrix. */
  readonly caller: Contexts;
  /** The prefix of its jobs' names. */
  readonly callerName: string;
}

/** Plans the jobs of a called workflow, with its inputs. @throws JobFailed if its inputs or the workflow are invalid */
export function planCall(pool: WorkerPool, call: CallToPlan): Promise<CallPlan> {
  return inTime(pool.run("actions.planCall", call, { timeoutMs: TIMEOUT_MS }));
}

/**
 * Evaluates `on.workflow_call.outputs` of a called workflow whose jobs are done.
 * @param jobs by key
 * @throws JobFailed
 */
export function outputsOfCall(
  pool: WorkerPool,
  source: string,
  contexts: Contexts,
  jobs: Readonly<Record<string, NeedResult>>,
): Promise<Record<string, string>> {
  return inTime(pool.run("actions.callOutputs", { source, contexts, jobs }, { timeoutMs: TIMEOUT_MS }));
}

/** A timeout counts as invalid: it would only happen again. */
async function inTime<T>(planning: Promise<T>): Promise<T> {
  try {
    return await planning;
  } catch (error) {
    if (!(error instanceof JobTimedOut)) throw error;
    throw new JobFailed(BadWorkflow.name, "it takes too long to plan", {}, undefined);
  }
}
