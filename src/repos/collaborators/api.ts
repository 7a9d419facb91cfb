import { Type } from "@sinclair/typebox";
import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route, signedIn, takes } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { administersRepo, signedInReader } from "../access.ts";
import { RepoPermissionResource } from "../resource.ts";
import { seenRepo } from "../subject.ts";

const AddCollaboratorBody = Type.Object(
  {
    permission: Type.Optional(
      Type.String({ description: "read, write or admin; write by default.", field: "Permission" }),
    ),
  },
  { $id: "AddCollaboratorOption", description: "The collaborator's permission." },
);

const noSuchUser = (login: string) => new ValidationFailed("account.missing", { params: { name: login } });

const path = "/api/v1/repos/:owner/:repo/collaborators";
const params = { collaborator: "Name of the account." };

/** Collaborators of a repository (contract repositories.md 12.1). */
export function collaboratorRoutes({ collaborators, identity, links, repos }: Services): Route[] {
  const named = (call: Call): User => {
    const login = param(call, "collaborator");
    const user = identity.byLogin(login);
    if (!user) throw noSuchUser(login);
    return user;
  };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "repoListCollaborators",
        tag: "repository",
        summary: "List a repository's collaborators",
        answers: {
          200: { description: "The collaborators, not including the owner.", schema: Type.Array(UserResource) },
        },
      },
      ...lists({}, (call) => {
        const { items, total } = collaborators.list(seenRepo(call), call.paging);
        const users = userResources(
          { identity, links },
          call.principal,
          items.map(({ user }) => user),
        );
        return page(users, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${path}/:collaborator`,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "repoCheckCollaborator",
        tag: "repository",
        summary: "Check whether a user is a collaborator",
        params,
        answers: {
          204: { description: "Yes." },
          404: { description: "No." },
          422: { description: "There is no such account." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        const user = named(call);
        // An account the caller may not see looks missing (security rule C6).
        if (!collaborators.isShown(seen, user)) throw noSuchUser(param(call, "collaborator"));
        if (!collaborators.isCollaborator(seen, user)) throw new NotFound();
        return noContent();
      },
    },
    {
      method: "PUT",
      path: `${path}/:collaborator`,
      surface: "api",
      access: administersRepo,
      doc: {
        id: "repoAddCollaborator",
        tag: "repository",
        summary: "Add a collaborator, or change their permission",
        params,
        answers: {
          204: { description: "Done." },
          422: { description: "There is no such account or level, or the account cannot collaborate." },
        },
      },
      ...takes(AddCollaboratorBody, (call, body) => {
        collaborators.put(seenRepo(call), named(call), body.permission ?? "write");
        return noContent();
      }),
    },
    {
      method: "DELETE",
      path: `${path}/:collaborator`,
      surface: "api",
      access: administersRepo,
      doc: {
        id: "repoDeleteCollaborator",
        tag: "repository",
        summary: "Remove a collaborator",
        params,
        answers: {
          204: { description: "The account is no longer a collaborator." },
          422: { description: "There is no such account." },
        },
      },
      handle: (call) => {
        collaborators.remove(seenRepo(call), named(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${path}/:collaborator/permission`,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "repoGetRepoPermissions",
        tag: "repository",
        summary: "Get a user's permission on a repository",
        params,
        answers: {
          200: { description: "The permission.", schema: RepoPermissionResource },
          403: { description: "Only administrators may see other accounts' permissions." },
          404: { description: "There is no such account." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        const login = param(call, "collaborator");
        if (!atLeast(seen.access.level, "admin") && signedIn(call).login.toLowerCase() !== login.toLowerCase())
          throw new Forbidden("collaborator.others-hidden");
        const user = identity.byLogin(login);
        // Owning a repository does not reveal someone else's hidden account.
        if (!user || !collaborators.isShown(seen, user))
          throw new NotFound("account.missing", { params: { name: login } });
        const { level } = repos.accessOf(asAccount(user), seen.repo, seen.owner);
        const [shown] = userResources({ identity, links }, call.principal, [user]);
        return json({ permission: level, role_name: level, user: shown });
      },
    },
  ];
}
