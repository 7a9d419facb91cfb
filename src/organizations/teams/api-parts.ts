import type { Services } from "../../services.ts";
import { organizationResource } from "../resource.ts";
import type { SeenOrganization } from "../types.ts";

/** Shared by the routes of one team. */
export const team = "/api/v1/teams/:id";
export const id = { id: "Number of the team." };
export const refused = {
  403: { description: "The caller is not an owner, or not a member." },
  404: { description: "It does not exist, or the caller may not see it." },
};

/** The organization's resource as the caller sees it, for embedding in a team's. */
export function organizationOf({ links }: Pick<Services, "links">, seen: SeenOrganization) {
  const { organization, repoAdminsChangeTeams, principal } = seen;
  return organizationResource({ account: organization, repoAdminsChangeTeams }, principal, links);
}
