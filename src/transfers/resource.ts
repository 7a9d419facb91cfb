import { Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import { UserResource, userResource } from "../identity/resource.ts";
import type { Links } from "../kernel/links.ts";
import { TeamResource, teamResource } from "../organizations/resource.ts";
import type { Transfer } from "./service.ts";

export const TransferResource = Type.Object(
  {
    doer: UserResource,
    recipient: UserResource,
    teams: Type.Array(TeamResource, { description: "Teams of the recipient that will have access." }),
  },
  { $id: "RepoTransfer", description: "A pending transfer." },
);

export function transferResource({ doer, recipient, teams }: Transfer, viewer: Principal, links: Links) {
  return {
    doer: userResource(doer, viewer, links),
    recipient: userResource(recipient, viewer, links),
    teams: teams.map((team) => teamResource(team, null)),
  };
}
