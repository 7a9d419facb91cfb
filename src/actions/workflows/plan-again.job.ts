import { planJob } from "./plan.ts";
import type { Contexts, JobPlan } from "./types.ts";

export interface PlanAgainInput {
  readonly source: string;
  readonly key: string;
  readonly contexts: Contexts;
  /** Of a job of a called workflow: what the names of its jobs begin with. */
  readonly callerName: string | undefined;
}

/** One job whose needs are done. @throws BadWorkflow */
export function run({ callerName, contexts, key, source }: PlanAgainInput): JobPlan[] {
  return planJob(source, key, contexts, callerName);
}
