import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { created, json, noContent } from "../http/respond.ts";
import { type Call, param, type Route, signedIn, takes } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import {
  administersRepo,
  createsOwnRepo,
  createsRepoForOthers,
  ownsRepo,
  readsCode,
  seesRepo,
  seesRepoById,
} from "./access.ts";
import { repoListRoutes } from "./api-lists.ts";
import { CreateRepoBody, EditRepoBody, newRepoOf, repoEditOf } from "./bodies.ts";
import { collaboratorRoutes } from "./collaborators/api.ts";
import { gitHookRoutes } from "./git-hooks/api.ts";
import { RepoResource, repoResources } from "./resource.ts";
import { seenRepo } from "./subject.ts";
import type { Repo, SeenRepo } from "./types.ts";

/** Repositories over REST (contract repositories.md 5, 12.1, 15.1). */
export function repoRoutes(services: Services): Route[] {
  return [...oneRepoRoutes(services), ...repoListRoutes(services), ...collaboratorRoutes(services), ...gitHookRoutes()];
}

function oneRepoRoutes(services: Services): Route[] {
  const { creator, identity, repos } = services;

  const show = (seen: SeenRepo) => repoResources(services, [seen])[0];
  /** As the principal sees it after the change, which may be less than before. */
  const showAgain = (call: Call, repo: Repo, owner: User) =>
    show({ principal: call.principal, repo, owner, access: repos.accessOf(call.principal, repo, owner) });
  const make = async (call: Call, owner: User, body: Static<typeof CreateRepoBody>) => {
    const repo = await creator.create(call.principal, owner, newRepoOf(body));
    return created(showAgain(call, repo, owner));
  };

  const namedOwner = (call: Call): User => {
    const name = param(call, "username");
    const owner = identity.byLogin(name);
    if (!owner || owner.kind === "reserved") throw new NotFound("account.no-such-name", { params: { name } });
    return owner;
  };

  return [
    {
      method: "POST",
      path: "/api/v1/user/repos",
      surface: "api",
      access: createsOwnRepo,
      doc: {
        id: "createCurrentUserRepo",
        tag: "repository",
        summary: "Create a repository",
        answers: {
          201: { description: "The new repository.", schema: RepoResource },
          400: { description: "There is no such README template." },
          409: { description: "The name is taken." },
          422: { description: "A value is invalid." },
        },
      },
      ...takes(CreateRepoBody, (call, body) => make(call, signedIn(call), body)),
    },
    {
      method: "POST",
      path: "/api/v1/admin/users/:username/repos",
      surface: "api",
      access: createsRepoForOthers,
      doc: {
        id: "adminCreateRepo",
        tag: "admin",
        summary: "Create a repository for a user",
        answers: {
          201: { description: "The new repository.", schema: RepoResource },
          404: { description: "There is no such account." },
          409: { description: "The name is taken." },
          422: { description: "A value is invalid." },
        },
      },
      ...takes(CreateRepoBody, (call, body) => make(call, namedOwner(call), body), { before: namedOwner }),
    },
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo",
      surface: "api",
      access: seesRepo,
      doc: {
        id: "repoGet",
        tag: "repository",
        summary: "Get a repository",
        answers: {
          200: { description: "The repository.", schema: RepoResource },
          301: { description: "It was renamed." },
          307: { description: "Its owner was renamed." },
          404: { description: "It does not exist, or the caller may not see it." },
        },
      },
      handle: (call) => json(show(seenRepo(call))),
    },
    {
      method: "GET",
      path: "/api/v1/repositories/:id",
      surface: "api",
      access: seesRepoById,
      doc: {
        id: "repoGetByID",
        tag: "repository",
        summary: "Get a repository by id",
        params: { id: "Number of the repository." },
        answers: {
          200: { description: "The repository.", schema: RepoResource },
          404: { description: "It does not exist, or the caller may not see it." },
        },
      },
      handle: (call) => {
        const id = param(call, "id");
        const seen = /^\d{1,15}$/.test(id) ? repos.seeById(call.principal, Number(id)) : undefined;
        if (!seen) throw new NotFound();
        return json(show(seen));
      },
    },
    {
      method: "PATCH",
      path: "/api/v1/repos/:owner/:repo",
      surface: "api",
      access: administersRepo,
      doc: {
        id: "repoEdit",
        tag: "repository",
        summary: "Edit a repository",
        answers: {
          200: { description: "The repository after the change.", schema: RepoResource },
          422: { description: "A value is invalid; nothing was changed." },
        },
      },
      ...takes(EditRepoBody, (call, body) => {
        const seen = seenRepo(call);
        return json(showAgain(call, repos.edit(seen, repoEditOf(body)), seen.owner));
      }),
    },
    {
      method: "DELETE",
      path: "/api/v1/repos/:owner/:repo",
      surface: "api",
      access: ownsRepo,
      doc: {
        id: "repoDelete",
        tag: "repository",
        summary: "Delete a repository",
        answers: { 204: { description: "Deleted." }, 403: { description: "Only its owner may delete it." } },
      },
      handle: (call) => {
        services.repoRemoval.remove(call.principal, seenRepo(call).repo);
        return noContent();
      },
    },
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/languages",
      surface: "api",
      access: readsCode,
      doc: {
        id: "repoGetLanguages",
        tag: "repository",
        summary: "Get a repository's languages",
        answers: {
          200: {
            description: "Bytes in the default branch by language, largest first.",
            schema: Type.Record(Type.String(), Type.Integer({ description: "Bytes in that language." })),
          },
        },
      },
      handle: (call) => {
        const { languages } = seenRepo(call).repo;
        return json(Object.fromEntries(Object.entries(languages).sort(([, a], [, b]) => b - a)));
      },
    },
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/licenses",
      surface: "api",
      access: readsCode,
      doc: {
        id: "repoGetLicenses",
        tag: "repository",
        summary: "List a repository's licenses",
        answers: {
          200: {
            description: "SPDX names of its licences, sorted.",
            schema: Type.Array(Type.String({ description: "SPDX name of a licence." })),
          },
        },
      },
      handle: (call) => json([...seenRepo(call).repo.licenses].sort()),
    },
  ];
}
