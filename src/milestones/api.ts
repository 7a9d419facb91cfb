import { Type } from "@sinclair/typebox";
import { parseRfc3339 } from "../content/values.ts";
import { maybeText } from "../http/fields.ts";
import { lists, type Parameter, textParam } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Call, param, type Route, takes } from "../http/route.ts";
import { badTime } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesMilestones, readsMilestones } from "./access.ts";
import { MilestoneResource, milestoneResource } from "./resource.ts";
import { type MilestoneState, milestoneStates } from "./types.ts";
import { endOfDay } from "./values.ts";

const path = "/api/v1/repos/:owner/:repo/milestones";

const maybeTime = (description: string) =>
  Type.Optional(Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description }));

const CreateMilestoneBody = Type.Object(
  {
    title: Type.String({ description: "Its name." }),
    description: maybeText("Description, as Markdown."),
    due_on: maybeTime("The due date, as RFC 3339."),
    state: maybeText("`closed` to create it closed; anything else means open."),
  },
  { $id: "CreateMilestoneOption", description: "A new milestone." },
);

const EditMilestoneBody = Type.Object(
  {
    title: maybeText("Its name; empty to leave it unchanged."),
    description: maybeText("Description, as Markdown."),
    due_on: maybeTime("A time on the due date; null for none."),
    state: maybeText("`closed` closes it; anything else reopens it."),
  },
  { $id: "EditMilestoneOption", description: "Changes to a milestone; fields left out are unchanged." },
);

const stateParam: Parameter<MilestoneState> = {
  description: "open, closed or all; open by default.",
  schema: Type.String({ enum: [...milestoneStates], default: "open" }),
  read: (given) => milestoneStates.find((state) => state === given) ?? "open",
};

/** Milliseconds; null removes it, undefined leaves it unchanged. @throws ValidationFailed */
function timeOf(given: string | null | undefined): number | null | undefined {
  if (given === null || given === undefined) return given;
  if (given === "") return null;
  const time = parseRfc3339(given);
  if (!time) throw badTime("due_on", given);
  return time.timestamp * 1000;
}

/** Milestones over REST (contract issues.md 14). */
export function milestoneRoutes({ links, milestones }: Services): Route[] {
  const api = { surface: "api" } as const;
  const params = { id: "Number of the milestone, or its title." };
  const one = { description: "The milestone.", schema: MilestoneResource };
  const missing = { 404: { description: "There is no such milestone." } };
  const refused = {
    403: { description: "The caller has no write access to issues or pull requests." },
    422: { description: "A value is invalid." },
    423: { description: "The repository is archived." },
  };
  const named = (call: Call) => milestones.get(seenRepo(call), param(call, "id"));
  const before = (call: Call) => milestones.requireWrite(seenRepo(call));
  return [
    {
      ...api,
      method: "GET",
      path,
      access: readsMilestones,
      doc: {
        id: "issueGetMilestonesList",
        tag: "issue",
        summary: "List the milestones of a repository",
        answers: {
          200: { description: "The milestones, by due date.", schema: Type.Array(MilestoneResource) },
        },
      },
      ...lists(
        { state: stateParam, name: textParam("Part of the title, in any letter case.") },
        (call, { name, state }) => {
          const filter = { state, name, order: "closestduedate" } as const;
          const { items, total } = milestones.list(seenRepo(call), filter, call.paging);
          return page(items.map(milestoneResource), total, { rootUrl: links.rootUrl, ...call });
        },
      ),
    },
    {
      ...api,
      method: "POST",
      path,
      access: changesMilestones,
      doc: {
        id: "issueCreateMilestone",
        tag: "issue",
        summary: "Create a milestone",
        answers: { 201: one, ...refused },
      },
      ...takes(
        CreateMilestoneBody,
        (call, { description, due_on, state, title }) => {
          const dueAt = timeOf(due_on);
          const made = milestones.create(seenRepo(call), { title, description, dueAt, isClosed: state === "closed" });
          return created(milestoneResource(made));
        },
        { before },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      access: readsMilestones,
      doc: {
        id: "issueGetMilestone",
        tag: "issue",
        summary: "Get a milestone",
        params,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(milestoneResource(named(call))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:id`,
      access: changesMilestones,
      doc: {
        id: "issueEditMilestone",
        tag: "issue",
        summary: "Change a milestone",
        params,
        answers: { 200: one, ...missing, ...refused },
      },
      ...takes(
        EditMilestoneBody,
        (call, { description, due_on, state, title }) => {
          const time = timeOf(due_on);
          const edit = {
            title: title || undefined,
            description,
            dueAt: time ? endOfDay(time) : time,
            isClosed: state === undefined ? undefined : state === "closed",
          };
          return json(milestoneResource(milestones.edit(seenRepo(call), named(call).id, edit)));
        },
        {
          before: (call) => {
            before(call);
            named(call);
          },
        },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      access: changesMilestones,
      doc: {
        id: "issueDeleteMilestone",
        tag: "issue",
        summary: "Delete a milestone",
        params,
        answers: { 204: { description: "Deleted." }, ...missing, 403: refused[403], 423: refused[423] },
      },
      handle: (call) => {
        before(call);
        milestones.delete(seenRepo(call), named(call).id);
        return noContent();
      },
    },
  ];
}
