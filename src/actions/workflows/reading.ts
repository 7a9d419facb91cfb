import { BadWorkflow } from "./failure.ts";
import { jobsOf } from "./jobs.ts";
import { cronsOf, type DeclaredInput, inputsOf, scalarText, type Trigger, triggersOf } from "./triggers.ts";
import { memberOf } from "./yaml/node.ts";
import { readYaml } from "./yaml/read.ts";

/** What a workflow file declares. */
export interface ReadWorkflow {
  /** Path within the workflow directory: `build.yml`. */
  readonly id: string;
  /** Its `name`; empty if none. */
  readonly name: string;
  /** Why it cannot run; undefined if it can. */
  readonly problem: string | undefined;
  readonly triggers: readonly Trigger[];
  /** The times of `on.schedule`, as written. */
  readonly crons: readonly string[];
  /** The inputs of a manual run; undefined if it cannot be started by hand. */
  readonly inputs: readonly DeclaredInput[] | undefined;
  /** Its text; empty if too large. */
  readonly source: string;
}

/** The workflows of a commit. */
export interface ReadWorkflows {
  /** undefined if there is none. */
  readonly folder: string | undefined;
  /** Sorted by id. */
  readonly workflows: readonly ReadWorkflow[];
}

export function readWorkflow(id: string, source: string): ReadWorkflow {
  let name = "";
  try {
    const workflow = readYaml(source);
    name = scalarText(memberOf(workflow, "name")).slice(0, 255);
    const triggers = triggersOf(workflow);
    jobsOf(workflow);
    const isDispatched = triggers.some(({ event }) => event === "workflow_dispatch");
    const inputs = isDispatched ? inputsOf(workflow, "workflow_dispatch") : undefined;
    return { id, name, problem: undefined, triggers, crons: cronsOf(workflow), inputs, source };
  } catch (error) {
    if (error instanceof BadWorkflow) return { ...unreadable(id, error.message), name };
    throw error;
  }
}

export const unreadable = (id: string, problem: string): ReadWorkflow => ({
  id,
  name: "",
  problem,
  triggers: [],
  crons: [],
  inputs: undefined,
  source: "",
});
