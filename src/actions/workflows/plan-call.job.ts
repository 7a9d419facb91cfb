import type { CallToPlan } from "./planner.ts";
import type { CallPlan } from "./types.ts";

export function run(call: CallToPlan): CallPlan {
  throw new Error(`${call}`);
}
