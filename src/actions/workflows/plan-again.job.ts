import { planJob } from "./plan.ts";
import type { Contexts, JobPlan } from "./types.ts";

export interface PlanAgainInput {
  readonly source: string;
  readonly key: string;
  readonly contexts: Contexts;
  /** For a job of a called workflow: the prefix of its jobs' names. */
  readonly callerName: string | undefined;
}

/** Plans one job whose needs are done. @throws BadWorkflow */
export function run({ callerName, contexts, key, source }: PlanAgainInput): JobPlan[] {
  return planJob(source, key, contexts, callerName);
}
