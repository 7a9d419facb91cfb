import { BadWorkflow } from "./failure.ts";
import { jobsOf } from "./jobs.ts";
import { cronsOf, type DeclaredInput, inputsOf, scalarText, type Trigger, triggersOf } from "./triggers.ts";
import { memberOf } from "./yaml/node.ts";
import { readYaml } from "./yaml/read.ts";

/** What a file says of itself. */
export interface ReadWorkflow {
  /** From the folder of workflows: `build.yml`. */
  readonly id: string;
  /** Its own name; empty: none. */
  readonly name: string;
  /** Why it cannot run; undefined: it can. */
  readonly problem: string | undefined;
  readonly triggers: readonly Trigger[];
  /** Times of `on.schedule`, as they are written. */
  readonly crons: readonly string[];
  /** What it asks of whoever starts it; undefined: it is not started by hand. */
  readonly inputs: readonly DeclaredInput[] | undefined;
  /** Its text; empty: too large. */
  readonly source: string;
}

/** What a commit says of workflows. */
export interface ReadWorkflows {
  /** undefined: there is none. */
  readonly folder: string | undefined;
  /** By id. */
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
