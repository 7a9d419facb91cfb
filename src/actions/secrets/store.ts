import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { inHome } from "../store.ts";
import type { ActionsSecret, HomeKey } from "../types.ts";

interface SecretRow {
  id: number;
  name: string;
  description: string;
  created_at: number;
  updated_at: number;
}

const columns = "id, name, description, created_at, updated_at";
const secretOf = ({ created_at, updated_at, ...row }: SecretRow): ActionsSecret => ({
  ...row,
  createdAt: created_at,
  updatedAt: updated_at,
});

/** Sorted by name. */
export function listSecrets(
  db: Database,
  home: HomeKey,
  { limit, offset }: Omit<Paging, "page">,
): Slice<ActionsSecret> {
  const { sql, params } = inHome(home);
  const rows = db
    .query<SecretRow>(`SELECT ${columns} FROM actions_secrets WHERE ${sql} ORDER BY name LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { items: rows.map(secretOf), total: countSecrets(db, home) };
}

/** The owner's, then the repository's, with their sealed values. */
export function secretsOfJobs(
  db: Database,
  repoId: number,
  ownerId: number,
): { readonly id: number; readonly name: string; readonly value: string }[] {
  const sql = `SELECT id, name, value, 1 AS place FROM actions_secrets WHERE owner_id = $ownerId
    UNION ALL SELECT id, name, value, 2 FROM actions_secrets WHERE repo_id = $repoId ORDER BY place, name`;
  return db.query<{ id: number; name: string; value: string }>(sql).all({ repoId, ownerId });
}

export function countSecrets(db: Database, home: HomeKey): number {
  const { sql, params } = inHome(home);
  return db.query<{ n: number }>(`SELECT count(*) AS n FROM actions_secrets WHERE ${sql}`).get(params)?.n ?? 0;
}

export function findSecret(db: Database, home: HomeKey, name: string): ActionsSecret | undefined {
  const { sql, params } = inHome(home);
  const row = db
    .query<SecretRow>(`SELECT ${columns} FROM actions_secrets WHERE ${sql} AND name = $name`)
    .get({ ...params, name });
  return row ? secretOf(row) : undefined;
}

/** @returns its ID, to which the value is then sealed */
export function insertSecret(db: Database, { ownerId, repoId }: HomeKey, name: string, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO actions_secrets (repo_id, owner_id, name, value, description, created_at, updated_at)
       VALUES ($repoId, $ownerId, $name, '', '', $now, $now) RETURNING id`,
    )
    .get({ repoId: repoId ?? null, ownerId: ownerId ?? null, name, now });
  if (!row) throw new Error("an inserted secret has a number");
  return row.id;
}

/** @param sealed its sealed value */
export function updateSecret(db: Database, id: number, sealed: string, description: string, now: number): void {
  db.query(
    "UPDATE actions_secrets SET value = $sealed, description = $description, updated_at = $now WHERE id = $id",
  ).run({
    id,
    sealed,
    description,
    now,
  });
}

export function deleteSecret(db: Database, id: number): void {
  db.query("DELETE FROM actions_secrets WHERE id = ?").run(id);
}
