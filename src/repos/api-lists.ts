import { Type } from "@sinclair/typebox";
import { pageParams } from "../http/openapi.ts";
import { flag, number, text } from "../http/query.ts";
import { json, page, pageHeaders } from "../http/respond.ts";
import { type Call, type ParameterDoc, type Route, signedIn } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Services } from "../services.ts";
import { listsOwnRepos, listsReposOf, searchesRepos } from "./access.ts";
import { RepoResource, repoResources, SearchResultResource } from "./resource.ts";
import type { SeenRepo } from "./types.ts";

const word = (name: string, description: string): ParameterDoc => ({ name, description, schema: Type.String() });
const yes = (name: string, description: string): ParameterDoc => ({ name, description, schema: Type.Boolean() });
const count = (name: string, description: string): ParameterDoc => ({ name, description, schema: Type.Integer() });

/** Lists of repositories and the search. */
export function repoListRoutes(services: Services): Route[] {
  const { identity, links, repoSearch } = services;
  const list = (call: Call, { items, total }: Slice<SeenRepo>) =>
    page(repoResources(services, items), total, { rootUrl: links.rootUrl, ...call });

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
        query: pageParams,
        answers: { 200: { description: "The repositories, by name.", schema: Type.Array(RepoResource) } },
      },
      handle: (call) => list(call, repoSearch.ownAndShared(call.principal, signedIn(call), call.paging)),
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
        query: pageParams,
        answers: {
          200: { description: "Those the caller may see, the oldest first.", schema: Type.Array(RepoResource) },
          404: { description: "There is no such account, or none the caller may see." },
        },
      },
      handle: (call) => {
        const owner = namedUser(call, identity);
        return list(call, repoSearch.ownedBy(call.principal, owner, call.paging));
      },
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
        query: [
          word("q", "Words with commas between them, in the name or a topic; owner/name looks in both."),
          yes("topic", "Look among topics only, for whole words."),
          yes("includeDesc", "Look in the description too."),
          count("uid", "Number of an account: what it owns and what is shared with it."),
          yes("exclusive", "With uid: only what it owns."),
          count("priority_owner_id", "Number of an account whose repositories come first."),
          count("team_id", "Number of a team: its repositories."),
          ...repoSearch.filters.map(({ name, description }) => count(name, description)),
          yes("private", "Include private repositories; true by default."),
          yes("is_private", "Only private ones, or only others."),
          yes("template", "Only templates, or only others."),
          yes("archived", "Only archived ones, or only others."),
          word("mode", "source, fork, mirror or collaborative."),
          word("sort", "alpha, created, updated, size, git_size, lfs_size, stars, forks or id; by name otherwise."),
          word("order", "asc or desc."),
          ...pageParams,
        ],
        answers: {
          200: { description: "What was found.", schema: SearchResultResource },
          422: { description: "Unknown mode, sort or order." },
        },
      },
      handle: (call) => {
        const { query } = call;
        const found = repoSearch.search(
          call.principal,
          {
            text: text(query, "q"),
            inDescription: flag(query, "includeDesc") ?? false,
            topicOnly: flag(query, "topic") ?? false,
            around: number(query, "uid"),
            exclusive: flag(query, "exclusive") ?? false,
            mode: text(query, "mode"),
            teamId: number(query, "team_id"),
            filters: Object.fromEntries(repoSearch.filters.map(({ name }) => [name, number(query, name)])),
            withPrivate: flag(query, "private"),
            isPrivate: flag(query, "is_private"),
            isTemplate: flag(query, "template"),
            isArchived: flag(query, "archived"),
            firstOwner: number(query, "priority_owner_id"),
            sort: text(query, "sort"),
            order: text(query, "order"),
          },
          call.paging,
        );
        const headers = pageHeaders(found.total, { rootUrl: links.rootUrl, ...call });
        return json({ ok: true, data: repoResources(services, found.items) }, 200, headers);
      },
    },
  ];
}
