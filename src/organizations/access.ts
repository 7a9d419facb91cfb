import type { Access } from "../http/route.ts";
import type { OrganizationNeeds, TeamNeeds } from "./subject.ts";

/** Who may come in at the routes of organizations and teams; REST and pages declare the same by the same name. */

const onOrganization = (who: Access["who"], standing: OrganizationNeeds["standing"]): Access => ({
  who,
  subject: { kind: "organization", standing },
  scopes: ["organization"],
  publicOnly: "filtered",
});

/** Whoever sees the organization. */
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
/** Members of the organization, also those who are not shown the team. */
export const teamAudience = onTeam("member");
export const teamOwner = onTeam("owner");
