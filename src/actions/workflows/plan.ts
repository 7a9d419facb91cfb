import type { Json, JsonObject } from "../../kernel/json.ts";
import { ExpressionError } from "./expressions/error.ts";
import { type Scope, scopeOf } from "./expressions/evaluator.ts";
import { comesTo, hasExpressions, interpolate, names } from "./expressions/templates.ts";
import { textOf } from "./expressions/values.ts";
import { BadWorkflow } from "./failure.ts";
import { concurrencyTextOf, jobsOf, MAX_JOBS, stepNameOf, type WrittenJob } from "./jobs.ts";
import { type Cell, cellsOf, resolved } from "./matrix.ts";
import { payloadOf } from "./payload.ts";
import { permissionsOf } from "./permissions.ts";
import { requireMap, scalarText } from "./triggers.ts";
import type { CallText, Contexts, JobPlan, WorkflowPlan } from "./types.ts";
import { jsonOf, mapNode, memberOf, type Node, textNode } from "./yaml/node.ts";
import { readYaml } from "./yaml/read.ts";

const MAX_NAME_CHARACTERS = 255;
const MAX_LABELS = 100;

/** Plans all jobs of a workflow, a job with a matrix once per cell (contract actions.md 3). @throws BadWorkflow */
export function planWorkflow(source: string, contexts: Contexts): WorkflowPlan {
  const workflow = readYaml(source);
  return new Planner(workflow, contexts).plan();
}

/** Plans one job whose needs are done. @throws BadWorkflow */
export function planJob(source: string, key: string, contexts: Contexts, callerName?: string): JobPlan[] {
  const workflow = readYaml(source);
  const job = jobsOf(workflow).find((written) => written.key === key);
  if (!job) throw new BadWorkflow(`there is no job "${key}"`);
  return new Planner(workflow, contexts, callerName).cells(job);
}

export class Planner {
  constructor(
    private readonly workflow: Node,
    private readonly contexts: Contexts,
    /** The calling job's name, for a called workflow. */
    private readonly callerName?: string,
  ) {}

  plan(): WorkflowPlan {
    requireMap(this.workflow, "a workflow");
    const jobs = jobsOf(this.workflow).flatMap((job) => (isOpen(job) ? [this.open(job)] : this.cells(job)));
    if (jobs.length > MAX_JOBS) throw new BadWorkflow(`there are more than ${MAX_JOBS} jobs`);
    const runName = scalarText(memberOf(this.workflow, "run-name"));
    return {
      name: scalarText(memberOf(this.workflow, "name")),
      runName: runName === "" ? undefined : this.textOrNothing(runName, scopeOf(this.contexts)) || undefined,
      concurrency: concurrencyTextOf(this.workflow),
      permissions: permissionsOf(this.workflow),
      jobs,
    };
  }

  /** Sorted by name. */
  cells(job: WrittenJob): JobPlan[] {
    try {
      const strategy = this.strategyOf(job);
      const cells = cellsOf(
        memberOf(memberOf(job.node, "strategy"), "matrix"),
        scopeOf({ ...this.contexts, strategy }),
      );
      const plans = cells.map((cell) => this.cell(job, cell, strategy));
      return plans.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    } catch (error) {
      if (error instanceof ExpressionError) throw new BadWorkflow(`in the job "${job.key}": ${error.message}`);
      throw error;
    }
  }

  private cell(job: WrittenJob, cell: Cell, strategy: JsonObject): JobPlan {
    const { key, node } = job;
    const matrix = Object.fromEntries([...cell].map(([name, value]) => [name, jsonOf(value)]));
    const scope = scopeOf({ ...this.contexts, matrix, strategy });
    const facts = {
      name: this.nameOf(job, cell, scope),
      runsOn: labelsOf(node, scope),
      continuesOnError: flagOf(memberOf(node, "continue-on-error"), scope),
    };
    const call = callOf(key, node);
    const payload = call ? "" : payloadOf(this.workflow, job, { ...facts, strategy: strategyNode(cell, strategy) });
    return { ...this.written(job), ...facts, payload, matrix, strategy, isOpen: false, call };
  }

  /** A job whose expansion is not known yet. */
  private open(job: WrittenJob): JobPlan {
    const written = scalarText(memberOf(job.node, "name"));
    return {
      ...this.written(job),
      name: this.within(hasExpressions(written) ? job.key : written || job.key),
      runsOn: [],
      payload: "",
      continuesOnError: false,
      matrix: {},
      strategy: {},
      isOpen: true,
      call: callOf(job.key, job.node),
    };
  }

  private written({ key, needs, node, steps }: WrittenJob) {
    return {
      key,
      needs,
      stepNames: steps.map(stepNameOf),
      condition: scalarText(memberOf(node, "if")) || undefined,
      concurrency: concurrencyTextOf(node),
      permissions: permissionsOf(node),
      inputs: this.callerName !== undefined ? this.contexts.inputs : undefined,
    };
  }

  /** Its name or key, with the cell's values in the order of their keys. */
  private nameOf({ key, node }: WrittenJob, cell: Cell, scope: Scope): string {
    const written = scalarText(memberOf(node, "name"));
    if (hasExpressions(written)) return this.within(this.textOrNothing(written, scope));
    const values = [...cell].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => shownValue(jsonOf(value)));
    return this.within((written || key) + (values.length === 0 ? "" : ` (${values.join(", ")})`));
  }

  private within(name: string): string {
    const whole = this.callerName === undefined ? name : `${this.callerName} / ${name}`;
    return whole.slice(0, MAX_NAME_CHARACTERS).toWellFormed();
  }

  private textOrNothing(text: string, scope: Scope): string {
    try {
      return interpolate(text, scope);
    } catch (error) {
      if (error instanceof ExpressionError) return "";
      throw error;
    }
  }

  private strategyOf({ node }: WrittenJob): JsonObject {
    const scope = scopeOf(this.contexts);
    const strategy = memberOf(node, "strategy");
    return Object.fromEntries(
      ["fail-fast", "max-parallel"].flatMap((name) => {
        const written = memberOf(strategy, name);
        return written ? [[name, jsonOf(resolved(written, scope))] as const] : [];
      }),
    );
  }
}

/** Whether its expansion depends on the results of its needs. */
function isOpen({ node, needs }: WrittenJob): boolean {
  if (needs.length === 0) return false;
  try {
    return ["name", "runs-on", "strategy", "continue-on-error"].some((key) => asksForNeeds(memberOf(node, key)));
  } catch (error) {
    // The same error is found and reported where the expression is evaluated.
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}

function asksForNeeds(node: Node | undefined): boolean {
  if (node?.kind === "list") return node.items.some(asksForNeeds);
  if (node?.kind === "map") return [...node.entries.values()].some(asksForNeeds);
  return node !== undefined && names(node.text, "needs");
}

/** A string, a list, or `{group, labels}`, whose group counts as another label. */
function labelsOf(job: Node, scope: Scope): string[] {
  const written = memberOf(job, "runs-on");
  if (!written) return [];
  const given = resolved(written, scope);
  const parts = given.kind === "map" ? [memberOf(given, "labels"), memberOf(given, "group")] : [given];
  const labels = parts.flatMap((part) => (part?.kind === "list" ? part.items : (part ?? [])));
  if (labels.length > MAX_LABELS) throw new BadWorkflow('"runs-on" has too many labels');
  return labels.flatMap((label) => {
    if (label.kind !== "scalar") throw new BadWorkflow('"runs-on" should be a text or a list of texts');
    return scalarText(label) || [];
  });
}

function flagOf(written: Node | undefined, scope: Scope): boolean {
  if (written?.kind !== "scalar") return false;
  const value = comesTo(written.text, scope);
  return value === true || value === "true";
}

/** Each value of the cell as a list of one, so that runners expand it into the same single cell. */
function strategyNode(cell: Cell, strategy: JsonObject): Node | undefined {
  const matrix = mapNode([...cell].map(([key, value]) => [key, { kind: "list", items: [value] }]));
  if (cell.size === 0 && Object.keys(strategy).length === 0) return undefined;
  const settings = Object.entries(strategy).map(([name, value]) => [name, textNode(textOf(value))] as const);
  return mapNode([...settings, ["matrix", cell.size === 0 ? undefined : matrix]]);
}

function shownValue(value: Json): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : textOf(value);
}

function callOf(key: string, job: Node): CallText | undefined {
  const uses = scalarText(memberOf(job, "uses"));
  if (uses === "") return undefined;
  const given = memberOf(job, "with");
  const secrets = memberOf(job, "secrets");
  return {
    uses,
    with: given ? (jsonOf(requireMap(given, `"jobs.${key}.with"`)) as JsonObject) : {},
    secrets: secrets?.kind === "map" ? secretsOf(secrets.entries) : scalarText(secrets) === "inherit" ? "inherit" : {},
  };
}

function secretsOf(entries: ReadonlyMap<string, Node>): Record<string, string> {
  return Object.fromEntries([...entries].map(([name, value]) => [name, scalarText(value)]));
}
