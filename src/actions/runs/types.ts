import type { JobPlan, WorkflowPlan } from "../workflows/types.ts";
import type { Status } from "./statuses.ts";

/** What makes a run: the workflow as it was read and planned, and what happened. */
export interface NewRun {
  /** The same cause makes no second run: `event:812:build.yml:push`. */
  readonly cause: string;
  /** Reserved before it was planned, since expressions may ask for them. */
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
  /** undefined: Actions' own doing */
  readonly userId: number | undefined;
  readonly issueId: number | undefined;
  readonly isOfFork: boolean;
  readonly needsApproval: boolean;
  readonly depth: number;
  readonly plan: WorkflowPlan;
}

/** Whether the code that runs is a stranger's. */
export const isOfStranger = ({ event, isOfFork }: Pick<NewRun, "event" | "isOfFork">): boolean =>
  isOfFork && event !== "pull_request_target";

/** Times are milliseconds since 1970. */
export interface Run extends Omit<NewRun, "cause" | "plan" | "source" | "payload"> {
  readonly workflowName: string;
  readonly approvedBy: number | undefined;
  readonly status: Status;
  /** The last. */
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
  /** The call whose job it is. */
  readonly parentId: number | undefined;
  readonly key: string;
  readonly name: string;
  readonly plan: JobPlan;
  readonly needs: readonly string[];
  readonly runsOn: readonly string[];
  readonly status: Status;
  /** The task that does it; of a copy in a later attempt that of the job it copies. */
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
  /** It was older than logs are held. */
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

/** What a list of runs is narrowed to. */
export interface RunFilter {
  readonly workflow?: string | undefined;
  readonly event?: string | undefined;
  /** In full. */
  readonly ref?: string | undefined;
  readonly commit?: string | undefined;
  /** Whose doing they were; null: Actions' own. */
  readonly userId?: number | null | undefined;
  readonly statuses?: readonly Status[] | undefined;
}

/** A job with what lists show of its run and its runner. */
export interface ListedJob extends Omit<Job, "plan"> {
  readonly ref: string;
  readonly commit: string;
  readonly workflow: string;
  readonly runnerId: number | undefined;
  /** undefined: no runner took it yet. */
  readonly runnerName: string | undefined;
  /** Its log was older than logs are held. */
  readonly isLogGone: boolean;
}

/** A task with what lists show of its job and its run. */
export interface ListedTask {
  readonly id: number;
  /** Of its job. */
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
