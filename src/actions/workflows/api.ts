import { Type } from "@sinclair/typebox";
import { checked, type Fields, readFields, SMALL_BODY_BYTES } from "../../http/body.ts";
import { asks, flagParam, lists } from "../../http/query.ts";
import { json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { signedInReadsRuns, writesRuns } from "../access.ts";
import { actionsPath, runsAnswer, withFilter } from "../runs/api.ts";
import { runFilters } from "../runs/query.ts";
import { RunsResource, runAddress, runPage } from "../runs/resource.ts";
import { RunDetailsResource, WorkflowResource, WorkflowsResource, workflowResource } from "./resource.ts";

const DispatchBody = Type.Object(
  {
    ref: Type.String({ description: "A branch, or a branch or tag in full: `main`, `refs/tags/v1`.", minLength: 1 }),
    inputs: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]), {
        description: "Inputs of the workflow; unknown ones are ignored.",
      }),
    ),
  },
  { $id: "CreateActionWorkflowDispatch", description: "How to start a workflow." },
);

/** Workflows over REST (contract actions.md 8.5). */
export function workflowRoutes(services: Services): Route[] {
  const { actionsRunLists, actionsWorkflows, links } = services;
  const api = { surface: "api" } as const;
  const tag = "repository";
  const path = `${actionsPath}/workflows`;
  const one = `${path}/:workflow_id`;
  const params = { workflow_id: "The workflow's file, from its folder: `build.yml`." };
  const missing = { 404: { description: "There is no such workflow on the default branch." } };
  const idOf = (call: Call) => param(call, "workflow_id");
  const switchRoute = (word: "enable" | "disable"): Route => ({
    ...api,
    method: "PUT",
    path: `${one}/${word}`,
    access: writesRuns,
    doc: {
      id: word === "enable" ? "ActionsEnableWorkflow" : "ActionsDisableWorkflow",
      tag,
      summary: word === "enable" ? "Enable a workflow" : "Disable a workflow, so that nothing starts it",
      params,
      answers: { 204: { description: "Done." }, ...missing },
    },
    handle: async (call) => {
      await actionsWorkflows.setEnabled(seenRepo(call), idOf(call), word === "enable");
      return noContent();
    },
  });
  return [
    {
      ...api,
      method: "GET",
      path,
      access: signedInReadsRuns,
      doc: {
        id: "ActionsListRepositoryWorkflows",
        tag,
        summary: "List the workflows of the default branch",
        answers: { 200: { description: "Sorted by file.", schema: WorkflowsResource } },
      },
      handle: async (call) => {
        const seen = seenRepo(call);
        const found = await actionsWorkflows.list(seen);
        const workflows = found.workflows.map((workflow) => workflowResource(services, seen, workflow, found));
        return json({ workflows, total_count: workflows.length });
      },
    },
    {
      ...api,
      method: "GET",
      path: one,
      access: signedInReadsRuns,
      doc: {
        id: "ActionsGetWorkflow",
        tag,
        summary: "Get a workflow of the default branch",
        params,
        answers: { 200: { description: "The workflow.", schema: WorkflowResource }, ...missing },
      },
      handle: async (call) => {
        const seen = seenRepo(call);
        const workflow = await actionsWorkflows.get(seen, idOf(call));
        return json(workflowResource(services, seen, workflow, await actionsWorkflows.list(seen)));
      },
    },
    switchRoute("disable"),
    switchRoute("enable"),
    {
      ...api,
      method: "GET",
      path: `${one}/runs`,
      access: signedInReadsRuns,
      doc: {
        id: "ActionsListWorkflowRuns",
        tag,
        summary: "List the runs of a workflow",
        params,
        answers: {
          200: { description: "Newest first.", schema: RunsResource },
          400: { description: "There is no such status." },
          ...missing,
        },
      },
      ...lists(
        { ...runFilters, exclude_pull_requests: flagParam("Leave out the pull requests.", false) },
        async (call, query) => {
          const seen = seenRepo(call);
          const { id: workflow } = await actionsWorkflows.get(seen, idOf(call));
          const runs = withFilter(services, query, call.principal, (filter) =>
            actionsRunLists.page(seen, { ...filter, workflow }, call.paging),
          );
          return runsAnswer(services, call, runs, { withoutPulls: query.exclude_pull_requests });
        },
      ),
    },
    {
      ...api,
      method: "POST",
      path: `${one}/dispatches`,
      access: writesRuns,
      doc: {
        id: "ActionsDispatchWorkflow",
        tag,
        summary: "Start a workflow manually; in a form, inputs are `inputs[name]`",
        params,
        answers: {
          200: { description: "The run, if requested.", schema: RunDetailsResource },
          204: { description: "Started." },
          403: { description: "The caller may not write, or the workflow is disabled." },
          404: { description: "There is no such ref, or no such workflow there." },
          422: { description: "The ref is missing, or the workflow cannot be started manually." },
        },
      },
      body: DispatchBody,
      ...asks(
        { return_run_details: flagParam("Return the run.", false) },
        async (call, { return_run_details: isAsked }) => {
          const seen = seenRepo(call);
          const sent = await readFields(call, SMALL_BODY_BYTES);
          const fields = sent.fromForm ? formFields(sent.fields) : sent.fields;
          const { inputs = {}, ref } = checked(DispatchBody, { fields, fromForm: false });
          const run = await actionsWorkflows.dispatch(seen, idOf(call), { ref, inputs });
          if (!isAsked && !isTrue(sent.fields["return_run_details"])) return noContent();
          return json({
            workflow_run_id: run.id,
            run_url: runAddress(seen, links, run.id),
            html_url: runPage(seen, links, run.id),
          });
        },
      ),
    },
  ];
}

/** Converts the fields of a form to their JSON shape. */
function formFields(sent: Fields): Fields {
  const inputs: Fields = Object.create(null) as Fields;
  for (const [name, value] of Object.entries(sent)) {
    const input = /^inputs\[(.+)\]$/.exec(name)?.[1];
    if (input !== undefined) inputs[input] = value;
  }
  return { ref: sent["ref"], inputs };
}

const isTrue = (value: unknown) => value === true || (typeof value === "string" && /^(1|t|true|on)$/i.test(value));
