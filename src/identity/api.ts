import { lists, numberParam, searchParam } from "../http/query.ts";
import { json, pageHeaders } from "../http/respond.ts";
import { type Route, signedIn } from "../http/route.ts";
import type { Services } from "../services.ts";
import { looksUpAccounts, whoAmI } from "./access.ts";
import { emailRoutes } from "./emails/api.ts";
import { namedUser } from "./named-user.ts";
import { UserResource, UserSearchResource, userResources } from "./resource.ts";
import { settingsRoutes } from "./settings/api.ts";
import { tokenRoutes } from "./tokens/api.ts";

/** `/user`, `/users` and `/token`: accounts and what belongs to them. */
export function identityRoutes(services: Services): Route[] {
  return [...userRoutes(services), ...emailRoutes(services), ...settingsRoutes(services), ...tokenRoutes(services)];
}

function userRoutes({ identity, links }: Services): Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/user",
      surface: "api",
      access: whoAmI,
      doc: {
        id: "userGetCurrent",
        tag: "user",
        summary: "Get the authenticated user",
        answers: { 200: { description: "The account, with all fields it may see of itself.", schema: UserResource } },
      },
      handle: (call) => json(userResources({ identity, links }, call.principal, [signedIn(call)])[0]),
    },
    {
      method: "GET",
      path: "/api/v1/users/search",
      surface: "api",
      access: looksUpAccounts,
      doc: {
        id: "userSearch",
        tag: "user",
        summary: "Search users",
        answers: { 200: { description: "The accounts the caller may see.", schema: UserSearchResource } },
      },
      ...lists(
        {
          q: searchParam("Part of the name or full name, or a public e-mail address; empty matches everyone."),
          uid: numberParam("Number of a single account to find instead."),
        },
        (call, { q, uid }) => {
          const found = uid
            ? identity.searchById(call.principal, uid)
            : identity.search(call.principal, q, call.paging);
          const data = userResources({ identity, links }, call.principal, found.items);
          const headers = pageHeaders(found.total, { rootUrl: links.rootUrl, ...call });
          return json({ data, ok: true }, 200, headers);
        },
      ),
    },
    {
      method: "GET",
      path: "/api/v1/users/:username",
      surface: "api",
      access: looksUpAccounts,
      doc: {
        id: "userGet",
        tag: "user",
        summary: "Get a user",
        answers: {
          200: { description: "The account as the caller may see it.", schema: UserResource },
          404: { description: "It does not exist, or the caller may not see it." },
        },
      },
      handle: (call) => json(userResources({ identity, links }, call.principal, [namedUser(call, identity)])[0]),
    },
  ];
}
