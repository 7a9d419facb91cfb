import type { Access } from "../http/route.ts";
import type { OrganizationNeeds, TeamNeeds } from "./subject.ts";

/** Access declarations for organizations and teams, shared by REST and pages. */

const onOrganization = (who: Access["who"], standing: OrganizationNeeds["standing"]): Access => ({
  who,
  subject: { kind: "organization", standing },
  scopes: ["organization"],
  publicOnly: "filtered",
});

/** Everyone who may see the organization. */
export const seesOrganization = onOrganization("anyone", "none");
export const signedInSees = onOrganization("user", "none");
export const organizationMember = onOrganization("user", "member");
export const organizationOwner = onOrganization("user", "owner");

const onTeam = (standing: TeamNeeds["standing"]): Access => ({
  who: "user",
  subject: { kind: "team", standing },
  scopes: ["organization"],
  publicOnly: "filtered",
});

export const teamReader = onTeam("reader");
/** Members of the organization, including those who may not see the team. */
export const teamAudience = onTeam("member");
export const teamOwner = onTeam("owner");
