import { isDone, Status } from "../../src/actions/runs/statuses.ts";
import type { Step, Task } from "../../src/actions/runs/types.ts";

/**
 * A step with its range in the log; "Set up job" comes before all others, "Complete job" after them (contract
 * actions.md 9.2).
 */
export interface PlacedStep {
  /** undefined: one that the server adds. */
  readonly name: string | undefined;
  readonly status: Status;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
  /** Its rows; the end is exclusive. */
  readonly from: number;
  readonly to: number;
}

type LoggedTask = Pick<Task, "logRows" | "startedAt" | "status" | "stoppedAt">;

/** The steps of a task, with the two around them. */
export function placedSteps(task: LoggedTask, steps: readonly Step[]): PlacedStep[] {
  const first = steps.find(({ startedAt }) => startedAt !== undefined);
  const setUpEnd = first ? Math.min(first.logIndex, task.logRows) : task.logRows;
  const setUp: PlacedStep = {
    name: undefined,
    status: first ? Status.success : task.status,
    startedAt: task.startedAt,
    stoppedAt: first?.startedAt ?? task.stoppedAt,
    from: 0,
    to: setUpEnd,
  };
  const real = steps.map(({ logIndex, logLength, name, startedAt, status, stoppedAt }): PlacedStep => {
    const from = startedAt === undefined ? 0 : Math.min(logIndex, task.logRows);
    const to = startedAt === undefined ? 0 : Math.min(logIndex + logLength, task.logRows);
    return { name, status, startedAt, stoppedAt, from, to };
  });
  return [setUp, ...real, completion(task, steps, setUpEnd)];
}

function completion(task: LoggedTask, steps: readonly Step[], setUpEnd: number): PlacedStep {
  const last = steps.at(-1);
  const hasFailed = steps.some(({ status }) => status === Status.failure);
  const begins = last !== undefined && (isDone(last.status) || hasFailed);
  const ends = isDone(task.status);
  const from = begins || ends ? setUpEnd + steps.reduce((sum, { logLength }) => sum + logLength, 0) : task.logRows;
  const stoppedAt = last?.stoppedAt ?? task.startedAt;
  return {
    name: undefined,
    status: ends ? task.status : begins ? Status.running : Status.waiting,
    startedAt: begins || ends ? stoppedAt : undefined,
    stoppedAt: task.stoppedAt,
    from: Math.min(from, task.logRows),
    to: task.logRows,
  };
}
