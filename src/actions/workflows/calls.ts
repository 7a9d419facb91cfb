import { isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { ExpressionError } from "./expressions/error.ts";
import { scopeOf } from "./expressions/evaluator.ts";
import { comesTo, interpolate } from "./expressions/templates.ts";
import { isList, textOf, toNumber } from "./expressions/values.ts";
import { BadWorkflow } from "./failure.ts";
import { Planner } from "./plan.ts";
import type { CallToPlan } from "./planner.ts";
import { type DeclaredInput, inputsOf, scalarText, triggersOf } from "./triggers.ts";
import type { CallPlan, CallText, Contexts, NeedResult } from "./types.ts";
import { memberOf } from "./yaml/node.ts";
import { readYaml } from "./yaml/read.ts";

/** Workflows that jobs call (contract actions.md 3.10). */

/** @throws BadWorkflow if it cannot be called, or its inputs are invalid */
export function planCalled({ call, caller, callerName, source }: CallToPlan): CallPlan {
  const workflow = readYaml(source);
  if (!triggersOf(workflow).some(({ event }) => event === "workflow_call"))
    throw new BadWorkflow('the called workflow has no "on.workflow_call"');
  const inputs = explained("inputs", () => givenInputs(inputsOf(workflow, "workflow_call"), call, caller));
  const event = isObject(caller.github["event"] ?? null) ? (caller.github["event"] as JsonObject) : {};
  const github = { ...caller.github, event_name: "workflow_call", event: { ...event, inputs } };
  const contexts: Contexts = { github, vars: caller.vars, inputs, needs: {} };
  return { inputs, workflow: new Planner(workflow, contexts, callerName).plan() };
}

/** The outputs that the call passes to its dependants. @throws BadWorkflow */
export function calledOutputs(
  source: string,
  contexts: Contexts,
  jobs: Readonly<Record<string, NeedResult>>,
): Record<string, string> {
  const outputs = memberOf(memberOf(memberOf(readYaml(source), "on"), "workflow_call"), "outputs");
  if (outputs?.kind !== "map") return {};
  const scope = scopeOf(contexts, { jobs });
  return explained("outputs", () =>
    Object.fromEntries(
      [...outputs.entries].map(([name, output]) => [name, interpolate(scalarText(memberOf(output, "value")), scope)]),
    ),
  );
}

function givenInputs(declared: readonly DeclaredInput[], call: CallText, caller: Contexts): JsonObject {
  const unknown = Object.keys(call.with).find((name) => !declared.some((input) => input.name === name));
  if (unknown !== undefined) throw new BadWorkflow(`the called workflow has no input "${unknown}"`);
  const callerScope = scopeOf(caller);
  const ownScope = scopeOf({ github: caller.github, vars: caller.vars, inputs: {}, needs: {} });
  return Object.fromEntries(
    declared.map((input) => {
      const given = call.with[input.name];
      const isGiven = given !== undefined && given !== null;
      if (!isGiven && input.isRequired && input.default === undefined)
        throw new BadWorkflow(`the called workflow requires the input "${input.name}"`);
      const written = isGiven ? given : (input.default ?? null);
      const value = typeof written === "string" ? comesTo(written, isGiven ? callerScope : ownScope) : written;
      return [input.name, typed(input, value)];
    }),
  );
}

function typed({ name, type }: DeclaredInput, value: Json): Json {
  if (isList(value) || isObject(value)) throw new BadWorkflow(`the input "${name}" should be one value`);
  if (type === "boolean") {
    const word = textOf(value);
    if (word !== "" && word !== "true" && word !== "false")
      throw new BadWorkflow(`the input "${name}" should be true or false`);
    return word === "true";
  }
  if (type === "number") {
    const number = toNumber(value);
    if (!Number.isFinite(number)) throw new BadWorkflow(`the input "${name}" should be a number`);
    return number;
  }
  return textOf(value);
}

function explained<T>(where: string, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof ExpressionError) throw new BadWorkflow(`in its ${where}: ${error.message}`);
    throw error;
  }
}
