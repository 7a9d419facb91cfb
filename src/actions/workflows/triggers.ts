import type { JsonObject } from "../../kernel/json.ts";
import { BadWorkflow } from "./failure.ts";
import { isNull, jsonOf, type MapNode, memberOf, type Node } from "./yaml/node.ts";

/** A trigger of a workflow: one key of `on` (contract actions.md 2.3). */
export interface Trigger {
  readonly event: string;
  /** Patterns by filter name. */
  readonly filters: Readonly<Partial<Record<Filter, readonly string[]>>>;
}

export const filterNames = [
  "types",
  "branches",
  "branches-ignore",
  "tags",
  "tags-ignore",
  "paths",
  "paths-ignore",
  "workflows",
] as const;
export type Filter = (typeof filterNames)[number];

/** An input that a workflow declares for manual runs or calls. */
export interface DeclaredInput {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** undefined if none is given. */
  readonly default: JsonObject[string] | undefined;
  readonly options: readonly string[];
}

const MAX_FILTERS = 256;
const MAX_INPUTS = 100;

/** @throws BadWorkflow */
export function triggersOf(workflow: Node): Trigger[] {
  const on = memberOf(workflow, "on");
  if (!on) throw new BadWorkflow('"on" is missing');
  if (on.kind === "scalar") return [{ event: on.text, filters: {} }];
  if (on.kind === "list")
    return [...new Set(on.items.map((item) => wordOf(item, '"on"')))].map((event) => ({ event, filters: {} }));
  return [...on.entries].map(([event, value]) => ({ event, filters: filtersOf(event, value) }));
}

function filtersOf(event: string, value: Node): Trigger["filters"] {
  if (value.kind === "list" && event !== "schedule") throw new BadWorkflow(`"on.${event}" should be a mapping`);
  if (value.kind !== "map") return {};
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const given = memberOf(value, name);
      return given ? [[name, textsOf(given, `"on.${event}.${name}"`)]] : [];
    }),
  );
}

/** The times of `on.schedule`, as written. */
export function cronsOf(workflow: Node): string[] {
  const schedule = memberOf(memberOf(workflow, "on"), "schedule");
  const items = schedule?.kind === "list" ? schedule.items : [];
  return items.flatMap((item) => {
    const cron = memberOf(item, "cron");
    return cron?.kind === "scalar" ? [cron.text] : [];
  });
}

/** @param event `workflow_dispatch` or `workflow_call` @throws BadWorkflow */
export function inputsOf(workflow: Node, event: string): DeclaredInput[] {
  const inputs = memberOf(memberOf(memberOf(workflow, "on"), event), "inputs");
  if (!inputs) return [];
  const { entries } = requireMap(inputs, `"on.${event}.inputs"`);
  if (entries.size > MAX_INPUTS) throw new BadWorkflow(`"on.${event}.inputs" has more than ${MAX_INPUTS}`);
  return [...entries].map(([name, node]) => {
    const options = memberOf(node, "options");
    const preset = memberOf(node, "default");
    return {
      name,
      type: scalarText(memberOf(node, "type")) || "string",
      description: scalarText(memberOf(node, "description")),
      isRequired: scalarText(memberOf(node, "required")) === "true",
      default: preset && jsonOf(preset),
      options: options ? textsOf(options, "options") : [],
    };
  });
}

/** A string or a list of strings. @throws BadWorkflow */
export function textsOf(node: Node, where: string): string[] {
  if (node.kind === "list" && node.items.length > MAX_FILTERS) throw new BadWorkflow(`${where} is too long`);
  return (node.kind === "list" ? node.items : [node]).map((item) => wordOf(item, where));
}

/** @throws BadWorkflow */
export function requireMap(node: Node, where: string): MapNode {
  if (node.kind !== "map") throw new BadWorkflow(`${where} should be a mapping`);
  return node;
}

/** Empty if absent or not a scalar. */
export const scalarText = (node: Node | undefined): string =>
  node?.kind === "scalar" && !isNull(node) ? node.text : "";

function wordOf(node: Node, where: string): string {
  if (node.kind !== "scalar" || isNull(node)) throw new BadWorkflow(`${where} should be a text or a list of texts`);
  return node.text;
}
