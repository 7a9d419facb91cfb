import { BadWorkflow } from "./failure.ts";
import { checkNeeds } from "./graph.ts";
import { requireMap, scalarText, textsOf } from "./triggers.ts";
import type { ConcurrencyText } from "./types.ts";
import { type MapNode, memberOf, type Node } from "./yaml/node.ts";

/** Maximum number of jobs of one run. */
export const MAX_JOBS = 256;
const MAX_KEY_CHARACTERS = 255;
const MAX_STEPS = 1_000;

/** A job as written in the file. */
export interface WrittenJob {
  readonly key: string;
  readonly needs: readonly string[];
  readonly node: MapNode;
  readonly steps: readonly MapNode[];
}

/** The jobs of a workflow, in file order. @throws BadWorkflow */
export function jobsOf(workflow: Node): WrittenJob[] {
  const jobs = memberOf(workflow, "jobs");
  if (!jobs) throw new BadWorkflow('"jobs" is missing');
  const { entries } = requireMap(jobs, '"jobs"');
  if (entries.size === 0) throw new BadWorkflow('"jobs" is empty');
  if (entries.size > MAX_JOBS) throw new BadWorkflow(`there are more than ${MAX_JOBS} jobs`);
  const written = [...entries].map(([key, node]) => jobOf(key, node));
  checkNeeds(new Map(written.map(({ key, needs }) => [key, needs])));
  return written;
}

function jobOf(key: string, job: Node): WrittenJob {
  if (key === "" || key.length > MAX_KEY_CHARACTERS || /\p{C}/u.test(key))
    throw new BadWorkflow("a job has a name that is empty, too long or unreadable");
  const node = requireMap(job, `"jobs.${key}"`);
  const needs = memberOf(node, "needs");
  return {
    key,
    node,
    needs: needs ? [...new Set(textsOf(needs, `"jobs.${key}.needs"`))] : [],
    steps: stepsOf(key, node),
  };
}

function stepsOf(key: string, job: MapNode): MapNode[] {
  const steps = memberOf(job, "steps");
  if (!steps) return [];
  if (steps.kind !== "list") throw new BadWorkflow(`"jobs.${key}.steps" should be a list`);
  const written = steps.items.filter((step) => step.kind !== "scalar" || step.value !== null);
  if (written.length > MAX_STEPS) throw new BadWorkflow(`"jobs.${key}.steps" has more than ${MAX_STEPS}`);
  return written.map((step) => requireMap(step, `a step of "jobs.${key}"`));
}

/** The name as shown (contract actions.md 1). */
export function stepNameOf(step: MapNode, position: number): string {
  const name = scalarText(memberOf(step, "name"));
  const run = scalarText(memberOf(step, "run")).trim().split(/\r?\n/, 1)[0] ?? "";
  const uses = scalarText(memberOf(step, "uses"));
  const shown = name || (run === "" ? uses && `Run ${uses}` : `Run ${run}`);
  return (shown || scalarText(memberOf(step, "id")) || String(position)).slice(0, 255);
}

/** `concurrency` of a workflow or a job. @throws BadWorkflow */
export function concurrencyTextOf(owner: Node): ConcurrencyText | undefined {
  const written = memberOf(owner, "concurrency");
  if (!written) return undefined;
  if (written.kind === "scalar") return { group: written.text, cancelInProgress: "" };
  const { entries } = requireMap(written, '"concurrency"');
  return { group: scalarText(entries.get("group")), cancelInProgress: scalarText(entries.get("cancel-in-progress")) };
}
