import type { GrantSource, MembershipSource } from "../access/grants.ts";

/** Organizations and teams as sources of permissions for src/access (contract repositories.md 4.3). */

/** Members see the organization, whatever its visibility. */
export const organizationMembers: MembershipSource = {
  from: "organization_members AS belonging",
  where: (account) => `belonging.organization_id = ${account} AND belonging.user_id = $me`,
};

/** SQL condition: the account `user` belongs to an organization that `$me` belongs to. */
export const isFellowMember = (user: string) => `EXISTS (SELECT 1 FROM organization_members AS fellows
    JOIN organization_members AS mine ON mine.organization_id = fellows.organization_id AND mine.user_id = $me
  WHERE fellows.user_id = ${user})`;

/** Members can read what is not private, even in a hidden organization; restricted accounts need a team. */
const openToMembers: GrantSource = {
  from: "organization_members AS reading_members JOIN users AS reading_users ON reading_users.id = reading_members.user_id",
  where: `reading_members.organization_id = repositories.owner_id AND reading_members.user_id = $me
    AND repositories.is_private = 0 AND reading_users.is_restricted = 0`,
  unit: "NULL",
  level: "'read'",
};

/** SQL condition: the row `team` of teams has the row of `repositories`. */
export const holds = (team: string) => `(${team}.includes_all = 1 OR EXISTS (SELECT 1 FROM team_repositories
    WHERE team_repositories.team_id = ${team}.id AND team_repositories.repo_id = repositories.id))`;

/** Owners, and teams with admin rights. */
const administeringTeams: GrantSource = {
  from: "team_members AS ruling_members JOIN teams AS ruling_teams ON ruling_teams.id = ruling_members.team_id",
  where: `ruling_members.user_id = $me AND ruling_members.organization_id = repositories.owner_id
    AND ruling_teams.level <> 'none' AND ${holds("ruling_teams")}`,
  unit: "NULL",
  level: "'owner'",
};

/** All other teams: a level for each unit. */
const teamsWithUnits: GrantSource = {
  from: `team_members AS unit_members JOIN teams AS unit_teams ON unit_teams.id = unit_members.team_id
    JOIN team_units ON team_units.team_id = unit_teams.id`,
  where: `unit_members.user_id = $me AND unit_members.organization_id = repositories.owner_id
    AND team_units.level <> 'none' AND ${holds("unit_teams")}`,
  unit: "team_units.unit",
  level: "team_units.level",
};

export const organizationGrants: readonly GrantSource[] = [openToMembers, administeringTeams, teamsWithUnits];

/** SQL for the ids of the repositories that the teams of the account `user` have. */
export const sharedByTeams = (user: string) => `SELECT team_repositories.repo_id FROM team_members
    JOIN team_repositories ON team_repositories.team_id = team_members.team_id WHERE team_members.user_id = ${user}
  UNION SELECT repositories.id FROM team_members JOIN teams ON teams.id = team_members.team_id AND teams.includes_all = 1
    JOIN repositories ON repositories.owner_id = teams.organization_id WHERE team_members.user_id = ${user}`;

/** SQL condition: `repositories` is one that the team `team` has. */
export const heldByTeam = (team: string) => `EXISTS (SELECT 1 FROM teams WHERE teams.id = ${team}
    AND teams.organization_id = repositories.owner_id AND ${holds("teams")})`;
