import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { param, type Route, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import type { ActionsPlace } from "../places.ts";
import { VariableResource, variableResource } from "./resource.ts";

const value = Type.String({ description: "Its value; at most 65536 characters." });
const description = maybeText("Description; cut off after 4096 characters.");

const CreateVariableBody = Type.Object(
  { value, description },
  { $id: "CreateVariableOption", description: "A new variable." },
);
const UpdateVariableBody = Type.Object(
  { name: maybeText("A new name; empty to keep the current one."), value, description },
  {
    $id: "UpdateVariableOption",
    description: "Changes to a variable; if the description is left out, it becomes empty.",
  },
);

/** Variables over REST (contract actions.md 8.3). */
export function variableRoutes({ actionsVariables, links }: Services, place: ActionsPlace): Route[] {
  const { access, home, path, tag, what, word } = place;
  const api = { surface: "api", access } as const;
  const one = `${path}/variables/:variablename`;
  const params = { variablename: "Name of the variable, in any letter case." };
  const missing = { 404: { description: "There is no such variable." } };
  const badName = { 400: { description: "The name is invalid, or the value is too long." } };
  return [
    {
      ...api,
      method: "POST",
      path: one,
      doc: {
        id: `create${word}Variable`,
        tag,
        summary: `Create a variable of ${what}`,
        params,
        answers: {
          201: { description: "Created." },
          ...badName,
          409: { description: "That name is already in use." },
          422: { description: "The value is missing, or there are too many variables." },
        },
      },
      ...takes(CreateVariableBody, (call, body) => {
        const name = param(call, "variablename");
        actionsVariables.create(home(call), { name, value: body.value, description: body.description ?? "" });
        return new Response(null, { status: 201 });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/variables`,
      doc: {
        id: `get${word}VariablesList`,
        tag,
        summary: `List the variables of ${what}`,
        answers: { 200: { description: "Sorted by name.", schema: Type.Array(VariableResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = actionsVariables.list(home(call), call.paging);
        return page(items.map(variableResource), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: one,
      doc: {
        id: `get${word}Variable`,
        tag,
        summary: `Get a variable of ${what}`,
        params,
        answers: { 200: { description: "The variable.", schema: VariableResource }, ...missing },
      },
      handle: (call) => json(variableResource(actionsVariables.get(home(call), param(call, "variablename")))),
    },
    {
      ...api,
      method: "PUT",
      path: one,
      doc: {
        id: `update${word}Variable`,
        tag,
        summary: `Change a variable of ${what}`,
        params,
        answers: {
          204: { description: "Changed." },
          ...badName,
          ...missing,
          409: { description: "Another variable already has the new name." },
          422: { description: "The value is missing." },
        },
      },
      ...takes(UpdateVariableBody, (call, body) => {
        const edit = { name: body.name ?? "", value: body.value, description: body.description ?? "" };
        actionsVariables.edit(home(call), param(call, "variablename"), edit);
        return noContent();
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: one,
      doc: {
        id: `delete${word}Variable`,
        tag,
        summary: `Delete a variable of ${what}`,
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        actionsVariables.delete(home(call), param(call, "variablename"));
        return noContent();
      },
    },
  ];
}
