import { JobFailed, JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { BadWorkflow } from "./failure.ts";
import type { CallPlan, CallText, Contexts, JobPlan, NeedResult, WorkflowPlan } from "./types.ts";

/** Plans in a worker: what is evaluated there is a stranger's. Each fails with a `JobFailed` of `BadWorkflow`, whose message says why. */

const TIMEOUT_MS = 10_000;

/** All jobs of a workflow. @param contexts without needs @throws JobFailed the workflow is invalid */
export function planInWorker(pool: WorkerPool, source: string, contexts: Contexts): Promise<WorkflowPlan> {
  return inTime(pool.run("actions.plan", { source, contexts }, { timeoutMs: TIMEOUT_MS }));
}

/**
 * One job whose matrix, name or labels asked for its needs, now that they are done.
 * @param callerName of a job of a called workflow: the name of the job that calls it
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

/** What a call needs to know. */
export interface CallToPlan {
  /** Of the called file. */
  readonly source: string;
  readonly call: CallText;
  /** The caller's: `with` may ask for its needs and its matrix. */
  readonly caller: Contexts;
  /** Which its jobs' names begin with. */
  readonly callerName: string;
}

/** The jobs of a called workflow, and what it was given. @throws JobFailed its inputs do not fit, or it is invalid */
export function planCall(pool: WorkerPool, call: CallToPlan): Promise<CallPlan> {
  return inTime(pool.run("actions.planCall", call, { timeoutMs: TIMEOUT_MS }));
}

/** `on.workflow_call.outputs` of a called workflow whose jobs are done. @param jobs by key @throws JobFailed */
export function outputsOfCall(
  pool: WorkerPool,
  source: string,
  contexts: Contexts,
  jobs: Readonly<Record<string, NeedResult>>,
): Promise<Record<string, string>> {
  return inTime(pool.run("actions.callOutputs", { source, contexts, jobs }, { timeoutMs: TIMEOUT_MS }));
}

/** What takes too long is as good as wrong: it would again. */
async function inTime<T>(planning: Promise<T>): Promise<T> {
  try {
    return await planning;
  } catch (error) {
    if (!(error instanceof JobTimedOut)) throw error;
    throw new JobFailed(BadWorkflow.name, "it takes too long to plan", {}, undefined);
  }
}
