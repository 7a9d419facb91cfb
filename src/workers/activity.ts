import { hasEnded, isWaiting, type Lane, type Thread } from "./task.ts";

/** A job that a thread is running. */
export interface RunningJob {
  readonly name: string;
  /** `performance.now()` when the thread took it. */
  readonly startedAt: number;
  /** It is waiting for its client, and does not count towards the lane's limit. */
  readonly isWaiting: boolean;
}

/** The current activity of a lane. */
export interface LaneActivity {
  readonly lane: Lane;
  /** Maximum number of jobs at work at a time. */
  readonly limit: number;
  /** Oldest first. */
  readonly running: readonly RunningJob[];
  /** Jobs waiting for a thread. */
  readonly waiting: number;
}

/** What the threads of each lane are doing now. */
export function activityOf(
  threads: Iterable<Thread>,
  lanes: Readonly<Record<Lane, { readonly length: number }>>,
  limits: Readonly<Record<Lane, number>>,
): LaneActivity[] {
  const tasks = [...threads].flatMap(({ task }) => (task && !hasEnded(task) ? task : []));
  return (Object.keys(limits) as Lane[]).map((lane) => ({
    lane,
    limit: limits[lane],
    running: tasks
      .filter((task) => task.lane === lane)
      .map((task) => ({ name: task.name, startedAt: task.startedAt, isWaiting: task.queued || isWaiting(task) }))
      .sort((a, b) => a.startedAt - b.startedAt),
    waiting: lanes[lane].length,
  }));
}
