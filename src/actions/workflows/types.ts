import type { JsonObject } from "../../kernel/json.ts";

/** The result of planning a workflow file: pure data, made in a worker by `planWorkflow` and stored with the jobs. */

/** The contexts available to the server's expressions (contract actions.md 3.2). */
export interface Contexts {
  /** Also `gitea`, `forge` and `forgejo`. */
  readonly github: JsonObject;
  readonly vars: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  /** The results of finished needs, by key. */
  readonly needs: Readonly<Record<string, NeedResult>>;
  readonly matrix?: JsonObject;
  readonly strategy?: JsonObject;
}

/** What later jobs see of a finished one. A type, not an interface, so that it is JSON without a cast. */
export type NeedResult = {
  readonly result: "success" | "failure" | "cancelled" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
};

/** `concurrency` as written; its expressions are evaluated when the run or the job is about to start. */
export interface ConcurrencyText {
  readonly group: string;
  readonly cancelInProgress: string;
}

/** `permissions`: all units at one level, or individually named ones; undefined if the file has none. */
export type PermissionText = "read-all" | "write-all" | Readonly<Record<string, "none" | "read" | "write">>;

/** A job that a runner can take, or a call of another workflow. */
export interface JobPlan {
  readonly key: string;
  /** Includes the values of its cell; at most 255 characters. */
  readonly name: string;
  readonly needs: readonly string[];
  readonly runsOn: readonly string[];
  /** A workflow with only this job, as the runner gets it (contract actions.md 3.4). */
  readonly payload: string;
  /** The steps' names, as shown. */
  readonly stepNames: readonly string[];
  /** `if` as written; the server evaluates it only for jobs with needs. */
  readonly condition: string | undefined;
  readonly continuesOnError: boolean;
  readonly concurrency: ConcurrencyText | undefined;
  readonly permissions: PermissionText | undefined;
  /** The values of its cell. */
  readonly matrix: JsonObject;
  readonly strategy: JsonObject;
  /**
   * Its matrix, name or labels depend on its needs: once they are done it is planned again, perhaps as several jobs.
   */
  readonly isOpen: boolean;
  /** A call of a workflow: `./.gitea/workflows/x.yml` or `owner/repo/…@ref`, with `with` and `secrets` as written. */
  readonly call: CallText | undefined;
  /** For jobs of a called workflow: its inputs. */
  readonly inputs: JsonObject | undefined;
}

export interface CallText {
  readonly uses: string;
  readonly with: JsonObject;
  /** "inherit", or expressions by name. */
  readonly secrets: "inherit" | Readonly<Record<string, string>>;
}

export interface WorkflowPlan {
  /** Empty if none. */
  readonly name: string;
  /** `run-name`, evaluated; undefined if none. */
  readonly runName: string | undefined;
  readonly concurrency: ConcurrencyText | undefined;
  readonly permissions: PermissionText | undefined;
  readonly jobs: readonly JobPlan[];
}

/** A planned call of a workflow. */
export interface CallPlan {
  /** With defaults, in the types that the called file declares. */
  readonly inputs: JsonObject;
  /** Its jobs have `inputs`, and names prefixed with the caller's. */
  readonly workflow: WorkflowPlan;
}

/** What `success()`, `failure()` and `cancelled()` return. */
export interface ConditionFacts {
  /** All needs, direct and transitive, succeeded; a failure with continue-on-error counts as success. */
  readonly isSuccess: boolean;
  /** A need, direct or transitive, failed. */
  readonly isFailure: boolean;
  /** The run was cancelled. */
  readonly isCancelled: boolean;
}

/** The file of a called workflow. */
export interface CalledFile {
  readonly repoId: number;
  readonly commit: string;
  /** Path from its repository's root. */
  readonly path: string;
  readonly source: string;
}
