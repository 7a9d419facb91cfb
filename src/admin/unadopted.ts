import { Type } from "@sinclair/typebox";
import { lists, textParam } from "../http/query.ts";
import { noContent, page } from "../http/respond.ts";
import { param, type Route } from "../http/route.ts";
import type { Services } from "../services.ts";
import { administersBackground } from "./access.ts";

/** `/admin/unadopted`: git directories that an operator put in place for adoption (contract identity.md 15.2). */
export function unadoptedRoutes({ adoption, links }: Services): Route[] {
  const route = { surface: "api", access: administersBackground } as const;
  const pattern = textParam("Pattern for the names, as owner/name, with * as wildcard.");
  const change = { ...route, path: "/api/v1/admin/unadopted/:owner/:repo" } as const;
  const missing = { 404: { description: "There is no such folder, or a repository of that name." } };
  return [
    {
      ...route,
      method: "GET",
      path: "/api/v1/admin/unadopted",
      doc: {
        id: "adminUnadoptedList",
        tag: "admin",
        summary: "List unadopted repositories",
        answers: {
          200: { description: "The folders as owner/name, sorted by name.", schema: Type.Array(Type.String()) },
        },
      },
      ...lists({ query: pattern, pattern }, async (call, asked) => {
        const { items, total } = await adoption.list(call.principal, asked.query || asked.pattern, call.paging);
        const names = items.map(({ owner, name }) => `${owner}/${name}`);
        return page(names, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...change,
      method: "POST",
      doc: {
        id: "adminAdoptRepository",
        tag: "admin",
        summary: "Adopt the files of a repository",
        answers: {
          204: { description: "It is now a private repository of that owner." },
          ...missing,
          422: { description: "The folder is not a git repository, or is damaged." },
        },
      },
      handle: async (call) => {
        await adoption.adopt(call.principal, param(call, "owner"), param(call, "repo"));
        return noContent();
      },
    },
    {
      ...change,
      method: "DELETE",
      doc: {
        id: "adminDeleteUnadoptedRepository",
        tag: "admin",
        summary: "Delete a repository's unadopted files",
        answers: { 204: { description: "The folder is deleted." }, ...missing },
      },
      handle: async (call) => {
        await adoption.remove(call.principal, param(call, "owner"), param(call, "repo"));
        return noContent();
      },
    },
  ];
}
