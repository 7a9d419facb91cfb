import { type Static, Type } from "@sinclair/typebox";
import type { Level } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { text, texts, whole, yesNo } from "../http/fields.ts";
import type { Links } from "../kernel/links.ts";
import { type Organization, type Team, teamUnits } from "./types.ts";

export const OrganizationResource = Type.Object(
  {
    id: whole("Number of the organization, unique among all accounts."),
    name: text("Its name in its own letter case."),
    full_name: text("Its display name."),
    email: text("Contact address; empty for visitors."),
    avatar_url: text("Address of its picture."),
    description: text("Its description."),
    website: text("Address of its website."),
    location: text("Its location."),
    visibility: text("Who can see it: public, limited (people who are signed in) or private (members)."),
    repo_admin_change_team_access: yesNo("Whether administrators of a repository may add and remove its teams."),
    username: text("The same as name, for older clients."),
  },
  { $id: "Organization", description: "An organization." },
);
export type OrganizationResource = Static<typeof OrganizationResource>;

export function organizationResource(
  { account, repoAdminsChangeTeams }: Organization,
  viewer: Principal,
  links: Links,
): OrganizationResource {
  return {
    id: account.id,
    name: account.login,
    full_name: account.fullName,
    email: viewer.user ? account.email : "",
    avatar_url: `${links.rootUrl}avatars/${account.avatar || account.login.toLowerCase()}`,
    description: account.description,
    website: account.website,
    location: account.location,
    visibility: account.visibility,
    repo_admin_change_team_access: repoAdminsChangeTeams,
    username: account.login,
  };
}

export const OrganizationPermissionsResource = Type.Object(
  {
    is_owner: yesNo("Whether the account is an owner."),
    is_admin: yesNo("Whether one of its teams has admin access."),
    can_write: yesNo("Whether one of its teams has write access."),
    can_read: yesNo("Whether one of its teams has read access."),
    can_create_repository: yesNo("Whether it may create repositories there."),
  },
  { $id: "OrganizationPermissions", description: "What an account may do in an organization." },
);

export const TeamResource = Type.Object(
  {
    id: whole("Number of the team; never used again."),
    name: text("Its name in its own letter case."),
    description: text("Description."),
    organization: Type.Union([OrganizationResource, Type.Null()], {
      description: "The organization; null in lists of one organization.",
    }),
    includes_all_repositories: yesNo("Whether it has all repositories of the organization, including future ones."),
    permission: text("owner, admin, or none, in which case units_map says what it may do."),
    units: texts("Units it has access to.", "Name of a unit, such as repo.code."),
    units_map: Type.Record(Type.String(), Type.String({ description: "none, read, write, admin or owner." }), {
      description: "Its level on each unit.",
    }),
    can_create_org_repo: yesNo("Whether its members may create repositories in the organization."),
    visibility: text(
      "Who can see the team: public (everyone who can see the organization), limited (its members) or private (the team).",
    ),
  },
  { $id: "Team", description: "A team of an organization." },
);
export type TeamResource = Static<typeof TeamResource>;

/** @param organization null where the contract omits it */
export function teamResource(team: Team, organization: OrganizationResource | null): TeamResource {
  const levels = levelsOf(team);
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization,
    includes_all_repositories: team.includesAll,
    permission: team.level,
    units: Object.keys(levels).filter((unit) => levels[unit] !== "none"),
    units_map: levels,
    can_create_org_repo: team.canCreateRepos,
    visibility: team.visibility,
  };
}

function levelsOf({ level, units }: Team): Record<string, Level> {
  const entries = teamUnits.flatMap((unit): [string, Level][] => {
    const held = level === "none" ? units[unit] : level;
    return held === undefined ? [] : [[`repo.${unit}`, held]];
  });
  return Object.fromEntries(entries);
}

export const TeamSearchResource = Type.Object(
  {
    data: Type.Array(TeamResource, { description: "The teams found." }),
    ok: yesNo("Whether the search succeeded."),
  },
  { $id: "TeamSearchResults", description: "A page of teams." },
);
