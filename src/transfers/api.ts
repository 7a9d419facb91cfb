import { Type } from "@sinclair/typebox";
import { json } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import { ownsRepo, signedInReader } from "../repos/access.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import { seenRepo } from "../repos/subject.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";

const TransferBody = Type.Object(
  {
    new_owner: Type.Optional(Type.String({ description: "Name of the account or organization." })),
    team_ids: Type.Optional(
      Type.Array(Type.Integer({ description: "Number of a team." }), {
        description: "Teams of the organization that will have access.",
        maxItems: 100,
      }),
    ),
  },
  { $id: "TransferRepoOption", description: "The new owner of a repository." },
);

const path = "/api/v1/repos/:owner/:repo/transfer";

/** Transfers over REST (contract repositories.md 8). */
export function transferRoutes(services: Services): Route[] {
  const { repos, transfers } = services;
  const shown = (seen: SeenRepo) => repoResources(services, [seen])[0];
  /** The former owner may no longer be able to see it. */
  const now = (call: Call) => repos.seeById(call.principal, seenRepo(call).repo.id) ?? seenRepo(call);
  /** The response shows the access the caller had before answering (contract repositories.md 5.2). */
  const answered = (call: Call) => shown({ ...now(call), access: seenRepo(call).access });
  const refused = {
    403: { description: "The caller is not the recipient." },
    404: { description: "There is no pending transfer." },
  };
  return [
    {
      method: "POST",
      path,
      surface: "api",
      access: ownsRepo,
      doc: {
        id: "repoTransfer",
        tag: "repository",
        summary: "Transfer a repository",
        answers: {
          201: { description: "The transfer is waiting for the recipient's answer.", schema: RepoResource },
          202: { description: "The repository was transferred.", schema: RepoResource },
          403: { description: "The caller does not own it, or is blocked by the recipient." },
          404: { description: "There is no such recipient, or the caller may not see it." },
          409: { description: "A transfer is already pending." },
          422: { description: "The recipient already has a repository of that name, or the teams are not theirs." },
        },
      },
      ...takes(TransferBody, (call, body) => {
        const done = transfers.start(seenRepo(call), body.new_owner ?? "", body.team_ids ?? []);
        return json(shown(now(call)), done ? 202 : 201);
      }),
    },
    {
      method: "POST",
      path: `${path}/accept`,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "acceptRepoTransfer",
        tag: "repository",
        summary: "Accept the transfer of a repository",
        answers: { 202: { description: "The repository has its new owner.", schema: RepoResource }, ...refused },
      },
      handle: (call) => {
        transfers.accept(seenRepo(call));
        return json(answered(call), 202);
      },
    },
    {
      method: "POST",
      path: `${path}/reject`,
      surface: "api",
      access: signedInReader,
      doc: {
        id: "rejectRepoTransfer",
        tag: "repository",
        summary: "Reject the transfer of a repository",
        answers: { 200: { description: "The repository stays where it is.", schema: RepoResource }, ...refused },
      },
      handle: (call) => {
        transfers.reject(seenRepo(call));
        return json(answered(call));
      },
    },
  ];
}
