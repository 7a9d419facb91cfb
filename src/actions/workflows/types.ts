import type { JsonObject } from "../../kernel/json.ts";

/** What a workflow file comes to: pure data, made in a worker by `planWorkflow` and kept with the jobs. */

/** What expressions of the server may name (contract actions.md 3.2). */
export interface Contexts {
  /** Also `gitea`, `forge` and `forgejo`. */
  readonly github: JsonObject;
  readonly vars: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  /** Of the needs that are done, by key. */
  readonly needs: Readonly<Record<string, NeedResult>>;
  readonly matrix?: JsonObject;
  readonly strategy?: JsonObject;
}

/** What later jobs see of one that is done. A type, not an interface, so that it is JSON without a cast. */
export type NeedResult = {
  readonly result: "success" | "failure" | "cancelled" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
};

/** `concurrency` as it is written; its expressions are evaluated when the run or the job is about to start. */
export interface ConcurrencyText {
  readonly group: string;
  readonly cancelInProgress: string;
}

/** `permissions`: all units at one level, or those that are named; undefined: the file says nothing. */
export type PermissionText = "read-all" | "write-all" | Readonly<Record<string, "none" | "read" | "write">>;

/** One job that a runner can be given, or a call of another workflow. */
export interface JobPlan {
  readonly key: string;
  /** With the values of its cell; at most 255 characters. */
  readonly name: string;
  readonly needs: readonly string[];
  readonly runsOn: readonly string[];
  /** A workflow with this job alone, as the runner gets it (contract actions.md 3.4). */
  readonly payload: string;
  /** Of the steps, as they are shown. */
  readonly stepNames: readonly string[];
  /** `if` as it is written; asked by the server of jobs with needs alone. */
  readonly condition: string | undefined;
  readonly continuesOnError: boolean;
  readonly concurrency: ConcurrencyText | undefined;
  readonly permissions: PermissionText | undefined;
  /** The values of its cell. */
  readonly matrix: JsonObject;
  readonly strategy: JsonObject;
  /** Its matrix, name or labels ask for what its needs give: it is planned again, perhaps into several, when they are done. */
  readonly isOpen: boolean;
  /** A call of another workflow: `./.gitea/workflows/x.yml` or `owner/repo/…@ref`, with `with` and `secrets` as written. */
  readonly call: CallText | undefined;
  /** Of jobs of a called workflow: what it was given. */
  readonly inputs: JsonObject | undefined;
}

export interface CallText {
  readonly uses: string;
  readonly with: JsonObject;
  /** "inherit", or names to expressions. */
  readonly secrets: "inherit" | Readonly<Record<string, string>>;
}

export interface WorkflowPlan {
  /** Empty: none. */
  readonly name: string;
  /** `run-name`, evaluated; undefined: none. */
  readonly runName: string | undefined;
  readonly concurrency: ConcurrencyText | undefined;
  readonly permissions: PermissionText | undefined;
  readonly jobs: readonly JobPlan[];
}

/** A call of a workflow, planned. */
export interface CallPlan {
  /** With defaults, in the types that the called file declares. */
  readonly inputs: JsonObject;
  /** Its jobs have `inputs`, and names that begin with the caller's. */
  readonly workflow: WorkflowPlan;
}

/** What `success()`, `failure()` and `cancelled()` say. */
export interface ConditionFacts {
  /** Every need, and each of theirs, ended well; a failure that continues on error is one that did. */
  readonly isSuccess: boolean;
  /** A need, or one of theirs, failed. */
  readonly isFailure: boolean;
  /** The run was cancelled. */
  readonly isCancelled: boolean;
}

/** A called workflow's file. */
export interface CalledFile {
  readonly repoId: number;
  readonly commit: string;
  /** From the root of its repository. */
  readonly path: string;
  readonly source: string;
}
