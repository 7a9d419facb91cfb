import type { Database } from "../db/database.ts";
import { type IdList, readIds } from "../db/id-lists.ts";

/** Organizations and their members. */

export function insertOrganization(db: Database, userId: number, repoAdminsChangeTeams: boolean): void {
  db.query("INSERT INTO organizations (user_id, repo_admins_change_teams) VALUES (?, ?)").run(
    userId,
    repoAdminsChangeTeams ? 1 : 0,
  );
}

export function setRepoAdminsChangeTeams(db: Database, userId: number, value: boolean): void {
  db.query("UPDATE organizations SET repo_admins_change_teams = ? WHERE user_id = ?").run(value ? 1 : 0, userId);
}

/** Which of these organizations let administrators of repositories change teams. */
export function repoAdminsChangeTeams(db: Database, ids: readonly number[]): Set<number> {
  const rows = db
    .query<{ id: number }>(
      `SELECT user_id AS id FROM organizations
       WHERE user_id IN (SELECT value FROM json_each(?)) AND repo_admins_change_teams = 1`,
    )
    .all(JSON.stringify(ids));
  return new Set(rows.map(({ id }) => id));
}

export interface StandingRow {
  readonly repoAdminsChangeTeams: number;
  readonly isMember: number;
  readonly isOwner: number;
}

/** @param userId 0 for anonymous callers */
export function standingOf(db: Database, organizationId: number, userId: number): StandingRow | undefined {
  return (
    db
      .query<StandingRow>(
        `SELECT repo_admins_change_teams AS repoAdminsChangeTeams,
           EXISTS (SELECT 1 FROM organization_members WHERE organization_id = $org AND user_id = $user) AS isMember,
           EXISTS (SELECT 1 FROM team_members JOIN teams ON teams.id = team_members.team_id
             WHERE team_members.user_id = $user AND team_members.organization_id = $org AND teams.level = 'owner') AS isOwner
         FROM organizations WHERE user_id = $org`,
      )
      .get({ org: organizationId, user: userId }) ?? undefined
  );
}

/** Whether one of the account's teams may create repositories there. */
export function mayCreateRepos(db: Database, organizationId: number, userId: number): boolean {
  return (
    db
      .query(
        `SELECT 1 FROM team_members JOIN teams ON teams.id = team_members.team_id
         WHERE team_members.user_id = ? AND team_members.organization_id = ?
           AND (teams.can_create_repos = 1 OR teams.level = 'owner') LIMIT 1`,
      )
      .get(userId, organizationId) !== null
  );
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface Ids {
  readonly ids: number[];
  readonly total: number;
}

export function idsOf(db: Database, from: string, id: string, order: string, params: Params, page: Page): Ids {
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT ${id} AS id ${from} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit: page.limit, offset: page.offset });
  return { ids: rows.map((row) => row.id), total };
}

type Params = Readonly<Record<string, string | number | null>>;

/** SQL for a condition on `users`, and its parameters. */
export interface Viewer {
  readonly isVisible: string;
  readonly params: Params;
}

/** Filter for the organizations of an account. */
export interface MembershipFilter {
  /** Only public memberships. */
  readonly publicOnly: boolean;
  /** Whether to include organizations hidden from non-members. */
  readonly withPrivate: boolean;
}

/** Ids of an account's organizations, by name. @param viewer with the condition for `users`, the organization */
export function organizationsOf(db: Database, userId: number, filter: MembershipFilter, viewer: Viewer): IdList {
  const sql = `SELECT users.id FROM organization_members JOIN users ON users.id = organization_members.organization_id
    WHERE organization_members.user_id = $user AND (NOT $publicMembers OR organization_members.is_public = 1)
      AND ($withPrivate OR users.visibility <> 'private') AND ${viewer.isVisible} ORDER BY users.lower_login`;
  return readIds(db, sql, {
    ...viewer.params,
    user: userId,
    publicMembers: filter.publicOnly ? 1 : 0,
    withPrivate: filter.withPrivate ? 1 : 0,
  });
}

/** The members of an organization, by name. @param viewer with the condition for `users`, the member */
export function membersOf(db: Database, organizationId: number, publicOnly: boolean, viewer: Viewer, page: Page): Ids {
  const from = `FROM organization_members JOIN users ON users.id = organization_members.user_id
    WHERE organization_members.organization_id = $org AND (NOT $publicMembers OR organization_members.is_public = 1)
      AND ${viewer.isVisible}`;
  const params = { ...viewer.params, org: organizationId, publicMembers: publicOnly ? 1 : 0 };
  return idsOf(db, from, "users.id", "users.lower_login", params, page);
}

/** Whether the membership is public; undefined if there is none. */
export function membershipIsPublic(db: Database, organizationId: number, userId: number): boolean | undefined {
  const row = db
    .query<{ is_public: number }>(
      "SELECT is_public FROM organization_members WHERE organization_id = ? AND user_id = ?",
    )
    .get(organizationId, userId);
  return row ? row.is_public === 1 : undefined;
}

/** Which of the accounts are members. @param all including private memberships */
export function membersAmong(
  db: Database,
  organizationId: number,
  userIds: readonly number[],
  all: boolean,
): Set<number> {
  const rows = db
    .query<{ id: number }>(
      `SELECT user_id AS id FROM organization_members WHERE organization_id = ? AND is_public >= ?
         AND user_id IN (SELECT value FROM json_each(?))`,
    )
    .all(organizationId, all ? 0 : 1, JSON.stringify(userIds));
  return new Set(rows.map(({ id }) => id));
}

export function addMember(db: Database, organizationId: number, userId: number, now: number): void {
  db.query(
    "INSERT OR IGNORE INTO organization_members (organization_id, user_id, is_public, created_at) VALUES (?, ?, 0, ?)",
  ).run(organizationId, userId, now);
}

/** Deletes team memberships too. @returns whether there was one */
export function deleteMember(db: Database, organizationId: number, userId: number): boolean {
  const sql = "DELETE FROM organization_members WHERE organization_id = ? AND user_id = ?";
  return db.query(sql).run(organizationId, userId).changes > 0;
}

export function setMembershipPublic(db: Database, organizationId: number, userId: number, isPublic: boolean): void {
  db.query("UPDATE organization_members SET is_public = ? WHERE organization_id = ? AND user_id = ?").run(
    isPublic ? 1 : 0,
    organizationId,
    userId,
  );
}

/** Whether the account is the only owner there. */
export function isLastOwner(db: Database, organizationId: number, userId: number): boolean {
  const row = db
    .query<{ owners: number; own: number }>(
      `SELECT count(*) AS owners, ifnull(max(team_members.user_id = $user), 0) AS own
       FROM teams JOIN team_members ON team_members.team_id = teams.id
       WHERE teams.organization_id = $org AND teams.level = 'owner'`,
    )
    .get({ org: organizationId, user: userId });
  return row?.owners === 1 && row.own === 1;
}

/** The organizations in which one of the account's teams may create repositories, by name. */
export function creatableFor(db: Database, userId: number): number[] {
  return db
    .query<{ id: number }>(
      `SELECT DISTINCT users.id, users.lower_login FROM team_members JOIN teams ON teams.id = team_members.team_id
         JOIN users ON users.id = teams.organization_id
       WHERE team_members.user_id = ? AND (teams.can_create_repos = 1 OR teams.level = 'owner') ORDER BY users.lower_login`,
    )
    .all(userId)
    .map(({ id }) => id);
}

/** Which of these accounts are owners there. */
export function ownersAmong(db: Database, organizationId: number, userIds: readonly number[]): Set<number> {
  const rows = db
    .query<{ id: number }>(
      `SELECT team_members.user_id AS id FROM teams JOIN team_members ON team_members.team_id = teams.id
       WHERE teams.organization_id = ? AND teams.level = 'owner'
         AND team_members.user_id IN (SELECT value FROM json_each(?))`,
    )
    .all(organizationId, JSON.stringify(userIds));
  return new Set(rows.map(({ id }) => id));
}

/** The organizations an account belongs to; no permission is checked. */
export function membershipsOf(db: Database, userId: number): number[] {
  return db
    .query<{ id: number }>("SELECT organization_id AS id FROM organization_members WHERE user_id = ? ORDER BY 1")
    .all(userId)
    .map(({ id }) => id);
}
