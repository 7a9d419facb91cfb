import { type DropOptions, type DropPlan, planDrop } from "./drop.ts";

/** See `planDrop`. */
export function run(input: DropOptions & { readonly repoDir: string }): DropPlan {
  return planDrop(input.repoDir, input);
}
