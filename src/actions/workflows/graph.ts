import { BadWorkflow } from "./failure.ts";

/** @param jobs the keys that each job needs @throws BadWorkflow if a need does not exist, or needs form a cycle */
export function checkNeeds(jobs: ReadonlyMap<string, readonly string[]>): void {
  const left = new Map([...jobs].map(([key, needs]) => [key, new Set(needs)] as const));
  for (const [key, needs] of jobs)
    for (const need of needs)
      if (!jobs.has(need)) throw new BadWorkflow(`the job "${key}" needs "${need}", which is not there`);
  for (;;) {
    const free = [...left].filter(([, needs]) => needs.size === 0).map(([key]) => key);
    for (const key of free) left.delete(key);
    if (left.size === 0) return;
    if (free.length === 0) throw new BadWorkflow(`jobs need each other in a circle: ${[...left.keys()].join(", ")}`);
    for (const needs of left.values()) for (const key of free) needs.delete(key);
  }
}
