import type { Level, Visibility } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";

/** An account's standing in an organization; site administrators rank as owners. */
export type Standing = "none" | "member" | "owner";

/** An organization as seen by one principal. */
export interface SeenOrganization {
  readonly principal: Principal;
  readonly organization: User;
  readonly standing: Standing;
  /** Whether the caller is in one of its teams; a site administrator need not be. */
  readonly isMember: boolean;
  /** Administrators of a repository may add and remove teams. */
  readonly repoAdminsChangeTeams: boolean;
}

/** An organization with the fields its resource has besides its account. */
export interface Organization {
  readonly account: User;
  readonly repoAdminsChangeTeams: boolean;
}

/**
 * The units of which a team can be given a level, in the API's order. External trackers and wikis are only links, so
 * their levels are stored for clients and grant nothing.
 */
export const teamUnits = [
  "code",
  "issues",
  "ext_issues",
  "pulls",
  "releases",
  "wiki",
  "ext_wiki",
  "projects",
  "packages",
  "actions",
] as const;
export type TeamUnit = (typeof teamUnits)[number];

export type UnitLevel = Exclude<Level, "owner">;
export type UnitLevels = Readonly<Partial<Record<TeamUnit, UnitLevel>>>;

export interface Team {
  readonly id: number;
  readonly organizationId: number;
  readonly name: string;
  readonly description: string;
  /** `owner`: the team of owners; `admin`: administers its repositories; `none`: as in `units`. */
  readonly level: "none" | "admin" | "owner";
  readonly units: UnitLevels;
  /** Every repository of the organization, including future ones. */
  readonly includesAll: boolean;
  readonly canCreateRepos: boolean;
  readonly visibility: Visibility;
}

/** A team as seen by one principal. */
export interface SeenTeam {
  readonly team: Team;
  readonly seen: SeenOrganization;
  readonly isMember: boolean;
}
