import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { noContent, page } from "../../http/respond.ts";
import { param, type Route, takes } from "../../http/route.ts";
import { Secret } from "../../secrets/secret.ts";
import type { Services } from "../../services.ts";
import type { ActionsPlace } from "../places.ts";
import { SecretResource, secretResource } from "./resource.ts";

const PutSecretBody = Type.Object(
  {
    data: Type.String({ description: "Its value; at most 65536 characters." }),
    description: maybeText("Description; cut off after 4096 characters."),
  },
  { $id: "CreateOrUpdateSecretOption", description: "A secret; if the description is left out, it is empty." },
);

/** Secrets over REST (contract actions.md 8.2). */
export function secretRoutes({ actionsSecrets, links }: Services, place: ActionsPlace): Route[] {
  const { access, home, path, tag, what, word } = place;
  const api = { surface: "api", access } as const;
  const one = `${path}/secrets/:secretname`;
  const params = { secretname: "Name of the secret, in any letter case." };
  const put: Route = {
    ...api,
    method: "PUT",
    path: one,
    doc: {
      id: `update${word}Secret`,
      tag,
      summary: `Create or replace a secret of ${what}`,
      params,
      answers: {
        201: { description: "Created." },
        204: { description: "Replaced." },
        400: { description: "The name is invalid, or the value is too long." },
        422: { description: "The value is missing, or there are too many secrets." },
      },
    },
    ...takes(PutSecretBody, (call, { data, description = "" }) => {
      const secret = { name: param(call, "secretname"), value: new Secret(data), description };
      const isNew = actionsSecrets.put(home(call), secret);
      return new Response(null, { status: isNew ? 201 : 204 });
    }),
  };
  const remove: Route = {
    ...api,
    method: "DELETE",
    path: one,
    doc: {
      id: `delete${word}Secret`,
      tag,
      summary: `Delete a secret of ${what}`,
      params,
      answers: { 204: { description: "Deleted." }, 404: { description: "There is no such secret." } },
    },
    handle: (call) => {
      actionsSecrets.delete(home(call), param(call, "secretname"));
      return noContent();
    },
  };
  // The contract has no list of an account's own secrets.
  if (word === "User") return [put, remove];
  const list: Route = {
    ...api,
    method: "GET",
    path: `${path}/secrets`,
    doc: {
      id: `${word.toLowerCase()}ListActionsSecrets`,
      tag,
      summary: `List the secrets of ${what}, without their values`,
      answers: { 200: { description: "Sorted by name.", schema: Type.Array(SecretResource) } },
    },
    ...lists({}, (call) => {
      const { items, total } = actionsSecrets.list(home(call), call.paging);
      return page(items.map(secretResource), total, { rootUrl: links.rootUrl, ...call });
    }),
  };
  return [put, list, remove];
}
