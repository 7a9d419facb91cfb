import type { WrittenJob } from "./jobs.ts";
import { isNull, type MapNode, mapNode, memberOf, type Node, nodeOf, textNode } from "./yaml/node.ts";
import { writeYaml } from "./yaml/write.ts";

/** The single-job workflow that a runner gets (contract actions.md 3.4). */

const workflowKeys = ["name", "env", "defaults", "permissions", "run-name"];
const jobKeys = [
  "if",
  "env",
  "timeout-minutes",
  "container",
  "services",
  "defaults",
  "outputs",
  "uses",
  "with",
  "secrets",
  "concurrency",
  "permissions",
];
const stepKeys = [
  "id",
  "if",
  "name",
  "uses",
  "run",
  "working-directory",
  "shell",
  "env",
  "with",
  "continue-on-error",
  "timeout-minutes",
];

/** What the server determined about the job. */
export interface PayloadFacts {
  readonly name: string;
  readonly runsOn: readonly string[];
  readonly strategy: Node | undefined;
  readonly continuesOnError: boolean;
}

export function payloadOf(workflow: Node, job: WrittenJob, facts: PayloadFacts): string {
  const { key, node, steps } = job;
  const kept = chosen(node, jobKeys);
  const payload = mapNode([
    ...workflowKeys.slice(0, 1).map((name) => [name, memberOf(workflow, name)] as const),
    ["on", onOf(workflow)],
    ...chosen(workflow, workflowKeys.slice(1)),
    [
      "jobs",
      mapNode([
        [
          key,
          mapNode([
            ["name", textNode(facts.name)],
            ["runs-on", labels(facts.runsOn)],
            ...kept.slice(0, 1),
            ["strategy", facts.strategy],
            ...kept.slice(1),
            ["continue-on-error", nodeOf(facts.continuesOnError)],
            ["steps", steps.length === 0 ? undefined : { kind: "list", items: steps.map(stepOf) }],
          ]),
        ],
      ]),
    ],
  ]);
  return writeYaml(payload);
}

function labels(runsOn: readonly string[]): Node | undefined {
  const [only, ...more] = runsOn.map(textNode);
  return more.length === 0 || only === undefined ? only : { kind: "list", items: [only, ...more] };
}

const stepOf = (step: MapNode): MapNode => mapNode(chosen(step, stepKeys));

/** The keys that are present; runners reject nulls. */
function chosen(owner: Node, keys: readonly string[]): (readonly [string, Node])[] {
  return keys.flatMap((key) => {
    const member = memberOf(owner, key);
    return member ? [[key, withoutNulls(member)] as const] : [];
  });
}

function withoutNulls(node: Node): Node {
  if (node.kind === "list") return { kind: "list", items: node.items.map(withoutNulls) };
  if (node.kind === "map") return mapNode([...node.entries].map(([key, member]) => [key, withoutNulls(member)]));
  return isNull(node) ? textNode("") : node;
}

/** `on` as written, except that a map of events without settings becomes a list of their names. */
function onOf(workflow: Node): Node | undefined {
  const on = memberOf(workflow, "on");
  if (on?.kind !== "map") return on;
  const members = [...on.entries];
  const areNames = members.length > 0 && members.every(([, member]) => isNull(member));
  return areNames ? { kind: "list", items: members.map(([event]) => textNode(event)) } : on;
}
