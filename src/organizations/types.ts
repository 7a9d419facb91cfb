import type { Level, Visibility } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";

/** How someone stands to an organization: site administrators stand as its owners do. */
export type Standing = "none" | "member" | "owner";

/** An organization as one principal sees it. */
export interface SeenOrganization {
  readonly principal: Principal;
  readonly organization: User;
  readonly standing: Standing;
  /** Whether the account that asks is in one of its teams; a site administrator need not be. */
  readonly isMember: boolean;
  /** Administrators of a repository may add and remove teams. */
  readonly repoAdminsChangeTeams: boolean;
}

/** An organization with what its resource shows besides its account. */
export interface Organization {
  readonly account: User;
  readonly repoAdminsChangeTeams: boolean;
}

/**
 * What a team may be given a level on, in the API's order. Trackers and wikis kept elsewhere are only linked to, so their
 * levels are kept for clients and open nothing.
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
  /** `owner`: the team of owners; `admin`: administers its repositories; `none`: what `units` says. */
  readonly level: "none" | "admin" | "owner";
  readonly units: UnitLevels;
  /** Every repository of the organization, also those to come. */
  readonly includesAll: boolean;
  readonly canCreateRepos: boolean;
  readonly visibility: Visibility;
}

/** A team as one principal sees it. */
export interface SeenTeam {
  readonly team: Team;
  readonly seen: SeenOrganization;
  readonly isMember: boolean;
}
