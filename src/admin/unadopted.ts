import { Type } from "@sinclair/typebox";
import { lists, textParam } from "../http/query.ts";
import { page } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { administersBackground } from "./access.ts";

/**
 * `/admin/unadopted`: git folders on disk that stand under an owner's and a repository's name without being known (contract
 * identity.md 15.2). Hearth keeps git folders by number, so that none ever does: the list is empty, and nothing can be
 * adopted or deleted.
 */
export function unadoptedRoutes({ links }: Services): Route[] {
  const route = { surface: "api", access: administersBackground } as const;
  const pattern = textParam("Names to look for, as owner/name with *.");
  const change = {
    ...route,
    path: "/api/v1/admin/unadopted/:owner/:repo",
    handle: () => {
      throw new NotFound();
    },
  } as const;
  const answers = { 404: { description: "There is no such folder." } };
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
          200: { description: "None: git folders have numbers, not names.", schema: Type.Array(Type.String()) },
        },
      },
      ...lists({ query: pattern, pattern }, (call) => page([], 0, { rootUrl: links.rootUrl, ...call })),
    },
    {
      ...change,
      method: "POST",
      doc: { id: "adminAdoptRepository", tag: "admin", summary: "Adopt a repository's files", answers },
    },
    {
      ...change,
      method: "DELETE",
      doc: {
        id: "adminDeleteUnadoptedRepository",
        tag: "admin",
        summary: "Delete a repository's unadopted files",
        answers,
      },
    },
  ];
}
