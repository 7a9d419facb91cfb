import { Type } from "@sinclair/typebox";
import { type ListCall, lists, numberParam, queryDocs, readQuery } from "../http/query.ts";
import { json, page, pageHeaders } from "../http/respond.ts";
import { type Call, type Route, signedIn } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { Services } from "../services.ts";
import { listsOwnRepos, listsReposOf, searchesRepos } from "./access.ts";
import { RepoResource, repoResources, SearchResultResource } from "./resource.ts";
import { repoSearchParams } from "./search/query.ts";
import type { SeenRepo } from "./types.ts";

/** Search parameters contributed by areas. */
const contributedParams = ({ repoSearch }: Services) =>
  Object.fromEntries(repoSearch.filters.map(({ name, description }) => [name, numberParam(description)]));

/** Runs the search described by a request's query. @throws ValidationFailed unknown mode, sort or order */
export function searchedRepos(services: Services, call: Call, paging: Paging): Slice<SeenRepo> {
  const wanted = readQuery(repoSearchParams, call);
  return services.repoSearch.search(
    call.principal,
    {
      text: wanted.q,
      inDescription: wanted.includeDesc,
      topicOnly: wanted.topic,
      around: wanted.uid,
      exclusive: wanted.exclusive,
      mode: wanted.mode,
      filters: readQuery(contributedParams(services), call),
      withPrivate: wanted.private,
      isPrivate: wanted.is_private,
      isTemplate: wanted.template,
      isArchived: wanted.archived,
      firstOwner: wanted.priority_owner_id,
      sort: wanted.sort,
      order: wanted.order,
    },
    paging,
  );
}

/** Repository lists and search. */
export function repoListRoutes(services: Services): Route[] {
  const { identity, links, repoSearch } = services;
  const list = (call: ListCall, { items, total }: Slice<SeenRepo>) =>
    page(repoResources(services, items), total, { rootUrl: links.rootUrl, ...call });

  const search = lists(repoSearchParams, (call) => {
    const found = searchedRepos(services, call, call.paging);
    const headers = pageHeaders(found.total, { rootUrl: links.rootUrl, ...call });
    return json({ ok: true, data: repoResources(services, found.items) }, 200, headers);
  });

  return [
    {
      method: "GET",
      path: "/api/v1/user/repos",
      surface: "api",
      access: listsOwnRepos,
      doc: {
        id: "userCurrentListRepos",
        tag: "user",
        summary: "List the authenticated user's repositories",
        answers: { 200: { description: "The repositories, sorted by name.", schema: Type.Array(RepoResource) } },
      },
      ...lists({}, (call) => list(call, repoSearch.ownAndShared(call.principal, signedIn(call), call.paging))),
    },
    {
      method: "GET",
      path: "/api/v1/users/:username/repos",
      surface: "api",
      access: listsReposOf,
      doc: {
        id: "userListRepos",
        tag: "user",
        summary: "List a user's repositories",
        answers: {
          200: { description: "Those the caller may see, oldest first.", schema: Type.Array(RepoResource) },
          404: { description: "There is no such account, or the caller may not see it." },
        },
      },
      ...lists({}, (call) => {
        // Restricted accounts see what was shared with them, whoever owns it (contract identity.md 8.6).
        const owner = namedUser(
          call,
          identity,
          ({ kind, visibility }) => kind !== "organization" && visibility === "limited",
        );
        return list(call, repoSearch.ownedBy(call.principal, owner, call.paging));
      }),
    },
    {
      method: "GET",
      path: "/api/v1/repos/search",
      surface: "api",
      access: searchesRepos,
      doc: {
        id: "repoSearch",
        tag: "repository",
        summary: "Search repositories",
        answers: {
          200: { description: "The results.", schema: SearchResultResource },
          422: { description: "Unknown mode, sort or order." },
        },
      },
      ...search,
      query: [...queryDocs(contributedParams(services)), ...search.query],
    },
  ];
}
