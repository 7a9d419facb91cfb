import type { Contexts, JobPlan } from "./types.ts";

export function run({
  contexts,
  key,
  source,
}: {
  readonly source: string;
  readonly key: string;
  readonly contexts: Contexts;
}): JobPlan[] {
  throw new Error(`${source}${contexts}${key}`);
}
