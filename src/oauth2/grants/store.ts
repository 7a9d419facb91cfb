import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { Grant, NamedGrant, TokenFamily } from "../types.ts";

interface Row {
  id: number;
  application_id: number;
  user_id: number;
  scope: string;
  created_at: number;
  last_used_at: number | null;
}

const columns = "g.id, g.application_id, g.user_id, g.scope, g.created_at, g.last_used_at";

const toGrant = (row: Row): Grant => ({
  id: row.id,
  applicationId: row.application_id,
  userId: row.user_id,
  scope: row.scope,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

export function findGrant(db: Database, userId: number, applicationId: number): Grant | undefined {
  const row = db
    .query<Row>(`SELECT ${columns} FROM oauth2_grants AS g WHERE g.user_id = ? AND g.application_id = ?`)
    .get(userId, applicationId);
  return row ? toGrant(row) : undefined;
}

export function findGrantById(db: Database, id: number): Grant | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM oauth2_grants AS g WHERE g.id = ?`).get(id);
  return row ? toGrant(row) : undefined;
}

export function insertGrant(
  db: Database,
  grant: { userId: number; applicationId: number; scope: string; createdAt: number },
): Grant {
  const row = db
    .query<Row>(
      "INSERT INTO oauth2_grants (user_id, application_id, scope, created_at) VALUES (?, ?, ?, ?) RETURNING id, application_id, user_id, scope, created_at, last_used_at",
    )
    .get(grant.userId, grant.applicationId, grant.scope, grant.createdAt);
  if (!row) throw new Error("the new grant's row was not returned");
  return toGrant(row);
}

/** The name of the application that a grant of the account authorizes. */
export function applicationOfGrant(db: Database, userId: number, grantId: number): string | undefined {
  const sql = `SELECT a.name FROM oauth2_grants AS g JOIN oauth2_applications AS a ON a.id = g.application_id
    WHERE g.id = ? AND g.user_id = ?`;
  return db.query<{ name: string }>(sql).get(grantId, userId)?.name;
}

/** @returns whether the account had it */
export function deleteGrant(db: Database, userId: number, id: number): boolean {
  return db.query("DELETE FROM oauth2_grants WHERE id = ? AND user_id = ?").run(id, userId).changes > 0;
}

export function grantsOf(db: Database, userId: number, paging: Paging): Slice<NamedGrant> {
  const total =
    db.query<{ n: number }>("SELECT count(*) AS n FROM oauth2_grants WHERE user_id = ?").get(userId)?.n ?? 0;
  const items = db
    .query<Row & { name: string }>(
      `SELECT ${columns}, a.name FROM oauth2_grants AS g JOIN oauth2_applications AS a ON a.id = g.application_id
       WHERE g.user_id = ? ORDER BY g.application_id DESC LIMIT ? OFFSET ?`,
    )
    .all(userId, paging.limit, paging.offset)
    .map((row) => ({ ...toGrant(row), applicationName: row.name }));
  return { items, total };
}

export function usersOfApplication(db: Database, applicationId: number): number[] {
  return db
    .query<{ user_id: number }>("SELECT user_id FROM oauth2_grants WHERE application_id = ?")
    .all(applicationId)
    .map((row) => row.user_id);
}

export function insertFamily(
  db: Database,
  family: { grantId: number; createdAt: number; expiresAt: number },
): { id: number; generation: number } {
  const row = db
    .query<{ id: number; generation: number }>(
      "INSERT INTO oauth2_token_families (grant_id, generation, created_at, expires_at) VALUES (?, 1, ?, ?) RETURNING id, generation",
    )
    .get(family.grantId, family.createdAt, family.expiresAt);
  if (!row) throw new Error("the new family's row was not returned");
  db.query("UPDATE oauth2_grants SET last_used_at = ? WHERE id = ?").run(family.createdAt, family.grantId);
  return row;
}

export function findFamily(db: Database, id: number, now: number): TokenFamily | undefined {
  const row = db
    .query<Row & { family_id: number; generation: number; client_id: string }>(
      `SELECT ${columns}, f.id AS family_id, f.generation, a.client_id FROM oauth2_token_families AS f
       JOIN oauth2_grants AS g ON g.id = f.grant_id JOIN oauth2_applications AS a ON a.id = g.application_id
       WHERE f.id = ? AND f.expires_at > ?`,
    )
    .get(id, now);
  return row
    ? { id: row.family_id, generation: row.generation, clientId: row.client_id, grant: toGrant(row) }
    : undefined;
}

/**
 * Increments the count, unless someone else has: of two uses of the same refresh token only one succeeds.
 * @returns the new count
 */
export function advanceFamily(
  db: Database,
  family: { id: number; generation: number; grantId: number },
  times: { now: number; expiresAt: number },
): number | undefined {
  const row = db
    .query<{ generation: number }>(
      "UPDATE oauth2_token_families SET generation = generation + 1, expires_at = ? WHERE id = ? AND generation = ? RETURNING generation",
    )
    .get(times.expiresAt, family.id, family.generation);
  if (row) db.query("UPDATE oauth2_grants SET last_used_at = ? WHERE id = ?").run(times.now, family.grantId);
  return row?.generation;
}

export function deleteFamily(db: Database, id: number): void {
  db.query("DELETE FROM oauth2_token_families WHERE id = ?").run(id);
}

export function deleteExpiredFamilies(db: Database, now: number): void {
  db.query("DELETE FROM oauth2_token_families WHERE expires_at <= ?").run(now);
}
