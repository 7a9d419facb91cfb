import { type Static, Type } from "@sinclair/typebox";
import { maybeText, text } from "../http/fields.ts";
import { lists } from "../http/query.ts";
import { json, page } from "../http/respond.ts";
import { type Call, type Route, signedIn, takes } from "../http/route.ts";
import { seesRepo } from "../repos/access.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { forksRepo, syncsFork } from "./access.ts";

const CreateForkBody = Type.Object(
  {
    name: Type.Optional(Type.String({ description: "Name of the fork; the name of the original by default." })),
    organization: Type.Optional(Type.String({ description: "The organization that will own the fork." })),
  },
  { $id: "CreateForkOption", description: "Where to create a fork." },
);

const MergeUpstreamBody = Type.Object(
  {
    branch: maybeText("The branch of the fork."),
    ff_only: Type.Optional(Type.Boolean({ description: "Do not create a merge commit; fail if one is needed." })),
  },
  { $id: "MergeUpstreamRequest", description: "Which branch of a fork to sync." },
);

const MergeUpstreamResource = Type.Object(
  { merge_type: text("up-to-date, fast-forward or merge.") },
  { $id: "MergeUpstreamResponse", description: "How the branch was synced." },
);

/** Forks over REST (contract repositories.md 7). */
export function forkRoutes(services: Services): Route[] {
  const { forks, forkSync, links, organizations, repos } = services;
  const path = "/api/v1/repos/:owner/:repo";

  const create = async (call: Call, body: Static<typeof CreateForkBody>): Promise<Response> => {
    const seen = seenRepo(call);
    const owner = body.organization ? organizations.ownerFor(call.principal, body.organization) : signedIn(call);
    const fork = await forks.create(seen, { owner, name: body.name });
    const access = repos.accessOf(call.principal, fork, owner);
    return json(repoResources(services, [{ principal: call.principal, repo: fork, owner, access }])[0], 202);
  };

  return [
    {
      method: "POST",
      path: `${path}/forks`,
      surface: "api",
      access: forksRepo,
      doc: {
        id: "createFork",
        tag: "repository",
        summary: "Fork a repository",
        answers: {
          202: { description: "The fork.", schema: RepoResource },
          403: { description: "The caller may not create repositories there." },
          404: { description: "There is no such organization." },
          409: { description: "The owner already has a fork, or the name is taken." },
          422: { description: "The name is invalid." },
        },
      },
      ...takes(CreateForkBody, create),
    },
    {
      method: "GET",
      path: `${path}/forks`,
      surface: "api",
      access: seesRepo,
      doc: {
        id: "listForks",
        tag: "repository",
        summary: "List the forks of a repository",
        answers: {
          200: { description: "The forks that the caller may see, oldest first.", schema: Type.Array(RepoResource) },
        },
      },
      ...lists({}, (call) => {
        const { items, total } = forks.list(seenRepo(call), call.paging);
        return page(repoResources(services, items), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "POST",
      path: `${path}/merge-upstream`,
      surface: "api",
      access: syncsFork,
      doc: {
        id: "repoMergeUpstream",
        tag: "repository",
        summary: "Sync a branch of a fork with its original",
        answers: {
          200: { description: "How the branch was synced.", schema: MergeUpstreamResource },
          400: {
            description: "The repository is not a fork, or the branch has diverged and only fast-forward is allowed.",
          },
          404: { description: "There is no such branch." },
          409: { description: "The changes conflict, or the branch was changed in the meantime." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(MergeUpstreamBody, async (call, body) =>
        json({ merge_type: await forkSync.merge(seenRepo(call), body.branch ?? "", body.ff_only ?? false) }),
      ),
    },
  ];
}
