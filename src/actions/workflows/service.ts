import type { SeenRepo } from "../../repos/types.ts";
import type { Run } from "../runs/types.ts";

/** A file of workflows as lists show it. */
export interface WorkflowFile {
  /** From the folder of workflows: `build.yml`. */
  readonly id: string;
  /** The file's own name for it, else the id. */
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  readonly isEnabled: boolean;
  /** Why it cannot be read; undefined: it can. */
  readonly problem: string | undefined;
  /** Whether it can be started by hand. */
  readonly isDispatchable: boolean;
}

/** The workflows of a commit. */
export interface WorkflowFiles {
  /** The branch's tip; undefined: nothing was committed yet. */
  readonly commit: string | undefined;
  readonly branch: string;
  readonly workflows: readonly WorkflowFile[];
}

/** A field of the form that starts a workflow. */
export interface DispatchInput {
  readonly name: string;
  readonly type: "string" | "boolean" | "number" | "choice" | "environment";
  readonly description: string;
  readonly isRequired: boolean;
  readonly default: string;
  readonly options: readonly string[];
}

export interface Dispatch {
  /** A branch's short name, or a branch or tag in full. */
  readonly ref: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The workflows of a repository (contract actions.md 8.5). */
export class WorkflowService {
  /** Those of the default branch, by id. @throws NotFound the unit is off */
  list(seen: SeenRepo): Promise<WorkflowFiles> {
    throw new Error(`${seen}`);
  }

  /** @throws NotFound */
  get(seen: SeenRepo, id: string): Promise<WorkflowFile> {
    throw new Error(`${seen}${id}`);
  }

  /** @throws NotFound; Forbidden no writer */
  setEnabled(seen: SeenRepo, id: string, isEnabled: boolean): Promise<void> {
    throw new Error(`${seen}${id}${isEnabled}`);
  }

  /** @throws NotFound no such workflow or ref; Forbidden no writer, or it is disabled; ValidationFailed it is not started by hand */
  dispatch(seen: SeenRepo, id: string, dispatch: Dispatch): Promise<Run> {
    throw new Error(`${seen}${id}${dispatch}`);
  }

  /** What it asks of whoever starts it at that ref. @throws NotFound */
  forms(seen: SeenRepo, id: string, ref: string): Promise<readonly DispatchInput[]> {
    throw new Error(`${seen}${id}${ref}`);
  }
}
