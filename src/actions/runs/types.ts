import type { JobPlan, WorkflowPlan } from "../workflows/types.ts";
import type { Status } from "./statuses.ts";

/** What makes a run: the workflow as read and planned, and the event. */
export interface NewRun {
  /** Only one run is created per cause: `event:812:build.yml:push`. */
  readonly cause: string;
  /** Reserved before planning, since expressions may use them. */
  readonly id: number;
  readonly number: number;
  readonly repoId: number;
  readonly workflow: string;
  readonly workflowFolder: string;
  readonly source: string;
  readonly sourceCommit: string;
  readonly title: string;
  readonly event: string;
  /** JSON */
  readonly payload: string;
  readonly ref: string;
  readonly commit: string;
  /** undefined: Actions itself */
  readonly userId: number | undefined;
  readonly issueId: number | undefined;
  readonly isOfFork: boolean;
  readonly needsApproval: boolean;
  readonly depth: number;
  readonly plan: WorkflowPlan;
}

/** Whether the run executes a stranger's code. */
export const isOfStranger = ({ event, isOfFork }: Pick<NewRun, "event" | "isOfFork">): boolean =>
  isOfFork && event !== "pull_request_target";

/** Times are milliseconds since 1970. */
export interface Run extends Omit<NewRun, "cause" | "plan" | "source" | "payload"> {
  readonly workflowName: string;
  readonly approvedBy: number | undefined;
  readonly status: Status;
  /** The last attempt. */
  readonly attempt: number;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Attempt {
  readonly runId: number;
  readonly attempt: number;
  /** Who asked for it. */
  readonly userId: number | undefined;
  readonly status: Status;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
  readonly createdAt: number;
}

export interface Job {
  readonly id: number;
  readonly runId: number;
  readonly repoId: number;
  readonly attempt: number;
  /** The call that contains it. */
  readonly parentId: number | undefined;
  readonly key: string;
  readonly name: string;
  readonly plan: JobPlan;
  readonly needs: readonly string[];
  readonly runsOn: readonly string[];
  readonly status: Status;
  /** The task that runs it; a copy in a later attempt has the task of its original. */
  readonly taskId: number | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
}

export interface Task {
  readonly id: number;
  readonly jobId: number;
  readonly repoId: number;
  readonly runnerId: number | undefined;
  readonly runnerName: string;
  readonly status: Status;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
  readonly updatedAt: number;
  readonly createdAt: number;
  readonly logRows: number;
  readonly logBytes: number;
  readonly isLogClosed: boolean;
  /** Deleted because it was older than the retention period. */
  readonly isLogGone: boolean;
}

export interface Step {
  readonly position: number;
  readonly name: string;
  readonly status: Status;
  readonly logIndex: number;
  readonly logLength: number;
  readonly startedAt: number | undefined;
  readonly stoppedAt: number | undefined;
}

/** The filter of a list of runs. */
export interface RunFilter {
  readonly workflow?: string | undefined;
  readonly event?: string | undefined;
  /** The full name. */
  readonly ref?: string | undefined;
  readonly commit?: string | undefined;
  /** Who started them; null: Actions itself. */
  readonly userId?: number | null | undefined;
  readonly statuses?: readonly Status[] | undefined;
}

/** A job with what lists show of its run and runner. */
export interface ListedJob extends Omit<Job, "plan"> {
  readonly ref: string;
  readonly commit: string;
  readonly workflow: string;
  readonly runnerId: number | undefined;
  /** undefined: no runner has taken it yet. */
  readonly runnerName: string | undefined;
  /** Its log was older than the retention period. */
  readonly isLogGone: boolean;
}

/** A task with what lists show of its job and run. */
export interface ListedTask {
  readonly id: number;
  /** The job's name. */
  readonly name: string;
  readonly runId: number;
  readonly runNumber: number;
  readonly ref: string;
  readonly commit: string;
  readonly event: string;
  readonly title: string;
  readonly workflow: string;
  readonly status: Status;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | undefined;
}
