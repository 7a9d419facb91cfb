import type { User } from "../../src/access/user.ts";
import type { Call } from "../../src/http/route.ts";
import type { SeenOrganization, Team } from "../../src/organizations/types.ts";
import type { WebServices } from "../area.ts";
import { uploadedPicture } from "../links.ts";
import type { OrganizationProps } from "./frame.tsx";
import type { TeamFacts } from "./team-form.tsx";

/** An organization as its pages show it to the viewer. */
export function organizationProps(seen: SeenOrganization, account: User = seen.organization): OrganizationProps {
  return {
    name: account.login,
    fullName: account.fullName,
    ...uploadedPicture(account),
    description: account.description,
    location: account.location,
    website: account.website,
    email: seen.principal.user ? account.email : "",
    visibility: account.visibility,
    isMember: seen.standing !== "none",
    isOwner: seen.standing === "owner",
  };
}

/** The same for an account that the caller may see; undefined when it is not an organization. */
export function organizationOf(
  { organizations }: WebServices,
  call: Call,
  account: User,
): OrganizationProps | undefined {
  return account.kind === "organization"
    ? organizationProps(organizations.standingIn(call.principal, account))
    : undefined;
}

export function teamFacts(team: Team): TeamFacts {
  const { name, description, level, units, includesAll, canCreateRepos, visibility } = team;
  return { name, description, level, units, includesAll, canCreateRepos, visibility };
}
