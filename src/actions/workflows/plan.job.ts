import type { Contexts, WorkflowPlan } from "./types.ts";

export function run({ contexts, source }: { readonly source: string; readonly contexts: Contexts }): WorkflowPlan {
  throw new Error(`${source}${contexts}`);
}
