import { planWorkflow } from "./plan.ts";
import type { Contexts, WorkflowPlan } from "./types.ts";

/** Plans all jobs of a workflow. @throws BadWorkflow */
export function run({ contexts, source }: { readonly source: string; readonly contexts: Contexts }): WorkflowPlan {
  return planWorkflow(source, contexts);
}
