import { planCalled } from "./calls.ts";
import type { CallToPlan } from "./planner.ts";
import type { CallPlan } from "./types.ts";

/** Plans the jobs of a called workflow. @throws BadWorkflow */
export function run(call: CallToPlan): CallPlan {
  return planCalled(call);
}
