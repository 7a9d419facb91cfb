import { type PruneOptions, type PrunePlan, planPrune } from "./prune.ts";

/** See `planPrune`. */
export function run(input: PruneOptions & { readonly repoDir: string }): PrunePlan {
  return planPrune(input.repoDir, input);
}
