import type { ConditionFacts, NeedResult } from "../workflows/types.ts";
import { isDone, Status, statusName, statusOfAll } from "./statuses.ts";

/** A job, or a cell of its matrix, that others may need. */
export interface NeededJob {
  readonly key: string;
  readonly needs: readonly string[];
  readonly status: Status;
  readonly plan: { readonly continuesOnError: boolean };
}

/** The jobs among which needs are looked up, by key: those of a run, or of one call. */
export type Siblings<J extends NeededJob> = ReadonlyMap<string, readonly J[]>;

export function siblingsOf<J extends NeededJob>(jobs: readonly J[]): Siblings<J> {
  return Map.groupBy(jobs, ({ key }) => key);
}

/** The combined status of a job's cells (contract actions.md 1.2). */
export function statusOfCells(cells: readonly NeededJob[]): Status {
  return statusOfAll(cells.map(({ plan, status }) => ({ status, continuesOnError: plan.continuesOnError })));
}

export function areNeedsDone<J extends NeededJob>(job: J, siblings: Siblings<J>): boolean {
  return job.needs.every((key) => (siblings.get(key) ?? []).every(({ status }) => isDone(status)));
}

/** What `success()`, `failure()` and `cancelled()` return for a job whose needs are done (contract actions.md 3.2). */
export function conditionFacts<J extends NeededJob>(job: J, siblings: Siblings<J>): ConditionFacts {
  const results = [...allNeeds(job, siblings)].map((key) => statusOfCells(siblings.get(key) ?? []));
  return {
    isSuccess: results.every((status) => status === Status.success),
    isFailure: results.includes(Status.failure),
    isCancelled: results.includes(Status.cancelled),
  };
}

/** Its needs, direct and transitive. */
function allNeeds<J extends NeededJob>(job: J, siblings: Siblings<J>): Set<string> {
  const found = new Set<string>();
  const open = [...job.needs];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    open.push(...(siblings.get(key)?.[0]?.needs ?? []));
  }
  return found;
}

/**
 * The results of a job's needs; if cells share an output, the last non-empty value counts (contract actions.md 3.6).
 */
export function needResults<J extends NeededJob>(
  job: J,
  siblings: Siblings<J>,
  outputsOf: (cell: J) => Readonly<Record<string, string>>,
): Record<string, NeedResult> {
  const result = (key: string): NeedResult => {
    const cells = siblings.get(key) ?? [];
    const outputs: Record<string, string> = {};
    for (const cell of cells)
      for (const [name, value] of Object.entries(outputsOf(cell)))
        if (value !== "" || outputs[name] === undefined) outputs[name] = value;
    return { result: resultOf(statusOfCells(cells)), outputs };
  };
  return Object.fromEntries(job.needs.map((key) => [key, result(key)]));
}

function resultOf(status: Status): NeedResult["result"] {
  const name = statusName(status);
  return name === "success" || name === "failure" || name === "cancelled" ? name : "skipped";
}
