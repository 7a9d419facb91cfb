import type { Visibility } from "../../access/levels.ts";
import type { Database } from "../../db/database.ts";
import { holds } from "../grants.ts";
import { type Ids, idsOf, type Viewer } from "../store.ts";
import type { Team, UnitLevels } from "../types.ts";

interface TeamRow {
  id: number;
  organization_id: number;
  name: string;
  description: string;
  level: Team["level"];
  includes_all: number;
  can_create_repos: number;
  visibility: Visibility;
  units: string;
}

const columns = `teams.id, teams.organization_id, teams.name, teams.description, teams.level, teams.includes_all,
  teams.can_create_repos, teams.visibility,
  (SELECT json_group_object(team_units.unit, team_units.level) FROM team_units WHERE team_units.team_id = teams.id) AS units`;

function toTeam(row: TeamRow): Team {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    level: row.level,
    units: JSON.parse(row.units) as UnitLevels,
    includesAll: row.includes_all === 1,
    canCreateRepos: row.can_create_repos === 1,
    visibility: row.visibility,
  };
}

export function findTeam(db: Database, id: number): Team | undefined {
  const row = db.query<TeamRow>(`SELECT ${columns} FROM teams WHERE teams.id = ?`).get(id);
  return row ? toTeam(row) : undefined;
}

export function findTeams(db: Database, ids: readonly number[]): Team[] {
  return db
    .query<TeamRow>(`SELECT ${columns} FROM teams WHERE teams.id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids))
    .map(toTeam);
}

export function findTeamByName(db: Database, organizationId: number, name: string): Team | undefined {
  const row = db
    .query<TeamRow>(`SELECT ${columns} FROM teams WHERE teams.organization_id = ? AND teams.lower_name = ?`)
    .get(organizationId, name.toLowerCase());
  return row ? toTeam(row) : undefined;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface Teams {
  readonly items: Team[];
  readonly total: number;
}

type Params = Readonly<Record<string, string | number | null>>;

const OWNERS_FIRST = "teams.level = 'owner' DESC, teams.lower_name";

function teamsWhere(db: Database, from: string, order: string, params: Params, page: Page): Teams {
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const items = db
    .query<TeamRow>(`SELECT ${columns} ${from} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit: page.limit, offset: page.offset })
    .map(toTeam);
  return { items, total };
}

/** The viewer a list of teams is for. */
export interface TeamViewer {
  /** 0 for anonymous callers. */
  readonly userId: number;
  /** Owners, who see every team. */
  readonly seesAll: boolean;
  /** For a public-only token: only teams visible to everyone. */
  readonly publicOnly: boolean;
}

const shown = `(NOT $publicOnly OR teams.visibility = 'public') AND ($seesAll OR teams.visibility <> 'private' OR EXISTS (SELECT 1 FROM team_members
  WHERE team_members.team_id = teams.id AND team_members.user_id = $user))`;

const viewerParams = ({ userId, seesAll, publicOnly }: TeamViewer) => ({
  user: userId,
  seesAll: seesAll ? 1 : 0,
  publicOnly: publicOnly ? 1 : 0,
});

/** The owners first, then by name. */
export function teamsOf(
  db: Database,
  organizationId: number,
  viewer: TeamViewer,
  search: { readonly text: string; readonly inDescription: boolean },
  page: Page,
): Teams {
  const from = `FROM teams WHERE teams.organization_id = $org AND ${shown}
    AND ($text = '' OR instr(teams.lower_name, $text) > 0
      OR ($inDescription AND instr(lower(teams.description), $text) > 0))`;
  const params = {
    ...viewerParams(viewer),
    org: organizationId,
    text: search.text.toLowerCase(),
    inDescription: search.inDescription ? 1 : 0,
  };
  return teamsWhere(db, from, OWNERS_FIRST, params, page);
}

/** An account's teams, by organization. */
export function teamsOfUser(db: Database, userId: number, page: Page): Teams {
  const from = `FROM team_members JOIN teams ON teams.id = team_members.team_id
    JOIN users ON users.id = teams.organization_id WHERE team_members.user_id = $user`;
  return teamsWhere(db, from, `users.lower_login, ${OWNERS_FIRST}`, { user: userId }, page);
}

/** An account's teams in one organization. */
export function teamsOfMember(db: Database, organizationId: number, userId: number): Team[] {
  return db
    .query<TeamRow>(
      `SELECT ${columns} FROM team_members JOIN teams ON teams.id = team_members.team_id
       WHERE team_members.user_id = ? AND team_members.organization_id = ?`,
    )
    .all(userId, organizationId)
    .map(toTeam);
}

/** The teams that have a repository. */
export function teamsOfRepo(db: Database, repoId: number, page: Page): Teams {
  const from = `FROM repositories JOIN teams ON teams.organization_id = repositories.owner_id
    WHERE repositories.id = $repo AND ${holds("teams")}`;
  return teamsWhere(db, from, OWNERS_FIRST, { repo: repoId }, page);
}

/** Whether the team has the repository. */
export function teamHasRepo(db: Database, teamId: number, repoId: number): boolean {
  const sql = `SELECT 1 FROM teams JOIN repositories ON repositories.owner_id = teams.organization_id
    WHERE teams.id = ? AND repositories.id = ? AND ${holds("teams")}`;
  return db.query(sql).get(teamId, repoId) !== null;
}

export interface NewTeam {
  readonly organizationId: number;
  readonly name: string;
  readonly description: string;
  readonly level: Team["level"];
  readonly units: UnitLevels;
  readonly includesAll: boolean;
  readonly canCreateRepos: boolean;
  readonly visibility: Visibility;
}

export function insertTeam(db: Database, team: NewTeam, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO teams (organization_id, name, lower_name, description, level, includes_all, can_create_repos,
         visibility, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    )
    .get(
      team.organizationId,
      team.name,
      team.name.toLowerCase(),
      team.description,
      team.level,
      team.includesAll ? 1 : 0,
      team.canCreateRepos ? 1 : 0,
      team.visibility,
      now,
      now,
    );
  if (!row) throw new Error("the team's row was not returned");
  setTeamUnits(db, row.id, team.units);
  return row.id;
}

export function updateTeam(db: Database, { id, ...team }: Omit<Team, "organizationId">, now: number): void {
  db.query(
    `UPDATE teams SET name = ?, lower_name = ?, description = ?, level = ?, includes_all = ?, can_create_repos = ?,
       visibility = ?, updated_at = ? WHERE id = ?`,
  ).run(
    team.name,
    team.name.toLowerCase(),
    team.description,
    team.level,
    team.includesAll ? 1 : 0,
    team.canCreateRepos ? 1 : 0,
    team.visibility,
    now,
    id,
  );
  setTeamUnits(db, id, team.units);
}

function setTeamUnits(db: Database, id: number, units: UnitLevels): void {
  db.query("DELETE FROM team_units WHERE team_id = ?").run(id);
  db.query("INSERT INTO team_units (team_id, unit, level) SELECT ?, key, value FROM json_each(?)").run(
    id,
    JSON.stringify(units),
  );
}

export function deleteTeam(db: Database, id: number): void {
  db.query("DELETE FROM teams WHERE id = ?").run(id);
}

export function isInTeam(db: Database, teamId: number, userId: number): boolean {
  return db.query("SELECT 1 FROM team_members WHERE team_id = ? AND user_id = ?").get(teamId, userId) !== null;
}

/** Whether the account is in a team of that organization. */
export function isInAnyTeam(db: Database, organizationId: number, userId: number): boolean {
  const sql = "SELECT 1 FROM team_members WHERE user_id = ? AND organization_id = ? LIMIT 1";
  return db.query(sql).get(userId, organizationId) !== null;
}

/** @returns whether that is new */
export function addToTeam(
  db: Database,
  team: Pick<Team, "id" | "organizationId">,
  userId: number,
  now: number,
): boolean {
  const sql = "INSERT OR IGNORE INTO team_members (team_id, user_id, organization_id, created_at) VALUES (?, ?, ?, ?)";
  return db.query(sql).run(team.id, userId, team.organizationId, now).changes > 0;
}

/** @returns whether the account was in it */
export function removeFromTeam(db: Database, teamId: number, userId: number): boolean {
  return db.query("DELETE FROM team_members WHERE team_id = ? AND user_id = ?").run(teamId, userId).changes > 0;
}

/**
 * Members of a team, by name. @param viewer with the condition for `users`, the member, and for
 * `organization_members`
 */
export function teamMembers(db: Database, teamId: number, viewer: Viewer, page: Page): Ids {
  const from = `FROM team_members JOIN users ON users.id = team_members.user_id
      JOIN organization_members ON organization_members.organization_id = team_members.organization_id
        AND organization_members.user_id = team_members.user_id
    WHERE team_members.team_id = $team AND ${viewer.isVisible}`;
  return idsOf(db, from, "users.id", "users.lower_login", { ...viewer.params, team: teamId }, page);
}

/** Everyone in a team. */
export function allInTeam(db: Database, teamId: number): number[] {
  return db
    .query<{ id: number }>("SELECT user_id AS id FROM team_members WHERE team_id = ?")
    .all(teamId)
    .map(({ id }) => id);
}

/** @returns whether that is new */
export function addTeamRepo(db: Database, teamId: number, repoId: number, now: number): boolean {
  const sql = "INSERT OR IGNORE INTO team_repositories (team_id, repo_id, created_at) VALUES (?, ?, ?)";
  return db.query(sql).run(teamId, repoId, now).changes > 0;
}

/** @returns whether the team had it */
export function removeTeamRepo(db: Database, teamId: number, repoId: number): boolean {
  return db.query("DELETE FROM team_repositories WHERE team_id = ? AND repo_id = ?").run(teamId, repoId).changes > 0;
}

/** Every repository of the organization that the team does not have yet. @returns those, by id */
export function addAllRepos(db: Database, { id, organizationId }: Team, now: number): number[] {
  return db
    .query<{ id: number }>(
      `INSERT OR IGNORE INTO team_repositories (team_id, repo_id, created_at)
       SELECT $team, id, $now FROM repositories WHERE owner_id = $owner RETURNING repo_id AS id`,
    )
    .all({ team: id, owner: organizationId, now })
    .map((row) => row.id);
}

/** @returns the repositories that the team had, by id */
export function removeAllRepos(db: Database, teamId: number): number[] {
  return db
    .query<{ id: number }>("DELETE FROM team_repositories WHERE team_id = ? RETURNING repo_id AS id")
    .all(teamId)
    .map((row) => row.id);
}

/** Removes a repository that leaves the organization from all of its teams. */
export function forgetRepo(db: Database, repoId: number): void {
  db.query("DELETE FROM team_repositories WHERE repo_id = ?").run(repoId);
}

/**
 * The repositories of a team that the viewer may see, by name. @param viewer with the condition for `repositories`
 * and `owners`
 */
export function reposOfTeam(db: Database, team: Team, viewer: Viewer, page: Page): Ids {
  const from = `FROM teams JOIN repositories ON repositories.owner_id = teams.organization_id
    JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE teams.id = $team AND ${holds("teams")} AND ${viewer.isVisible}`;
  const params = { ...viewer.params, team: team.id };
  return idsOf(db, from, "repositories.id", "repositories.lower_name", params, page);
}

/** The number of members, and of individually assigned repositories, of each of these teams. */
export function countsOfTeams(
  db: Database,
  teamIds: readonly number[],
): Map<number, { readonly members: number; readonly repos: number }> {
  const rows = db
    .query<{ id: number; members: number; repos: number }>(
      `SELECT wanted.value AS id, (SELECT count(*) FROM team_members WHERE team_id = wanted.value) AS members,
         (SELECT count(*) FROM team_repositories WHERE team_id = wanted.value) AS repos FROM json_each(?) AS wanted`,
    )
    .all(JSON.stringify(teamIds));
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** The teams of an account with their organizations, by name. @param publicOnly only publicly visible ones */
export function teamNamesOf(
  db: Database,
  userId: number,
  publicOnly: boolean,
): { readonly organization: string; readonly team: string }[] {
  return db
    .query<{ organization: string; team: string }>(
      `SELECT users.lower_login AS organization, teams.lower_name AS team FROM team_members
       JOIN teams ON teams.id = team_members.team_id
       JOIN users ON users.id = team_members.organization_id
       JOIN organization_members AS membership
         ON membership.organization_id = team_members.organization_id AND membership.user_id = team_members.user_id
       WHERE team_members.user_id = $user
         AND (NOT $publicOnly OR (membership.is_public = 1 AND users.visibility = 'public'))
       ORDER BY users.lower_login, teams.lower_name`,
    )
    .all({ user: userId, publicOnly: publicOnly ? 1 : 0 });
}

/** Members of a team that has the repository and a level on one of these units there. */
export function peopleOnRepo(db: Database, repoId: number, units: readonly string[]): number[] {
  const sql = `SELECT DISTINCT team_members.user_id AS id FROM repositories
      JOIN teams ON teams.organization_id = repositories.owner_id
      JOIN team_members ON team_members.team_id = teams.id
    WHERE repositories.id = $repo AND ${holds("teams")}
      AND (teams.level IN ('admin', 'owner') OR EXISTS (SELECT 1 FROM team_units WHERE team_units.team_id = teams.id
        AND team_units.level <> 'none' AND team_units.unit IN (SELECT value FROM json_each($units))))`;
  return db
    .query<{ id: number }>(sql)
    .all({ repo: repoId, units: JSON.stringify(units) })
    .map(({ id }) => id);
}
