import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { inHome } from "../store.ts";
import type { HomeKey, Variable } from "../types.ts";

interface VariableRow {
  id: number;
  repo_id: number | null;
  owner_id: number | null;
  name: string;
  value: string;
  description: string;
}

const columns = "id, repo_id, owner_id, name, value, description";
const variableOf = ({ owner_id, repo_id, ...row }: VariableRow): Variable => ({
  ...row,
  repoId: repo_id ?? undefined,
  ownerId: owner_id ?? undefined,
});

/** Sorted by name. */
export function listVariables(db: Database, home: HomeKey, { limit, offset }: Omit<Paging, "page">): Slice<Variable> {
  const { sql, params } = inHome(home);
  const rows = db
    .query<VariableRow>(
      `SELECT ${columns} FROM actions_variables WHERE ${sql} ORDER BY name LIMIT $limit OFFSET $offset`,
    )
    .all({ ...params, limit, offset });
  return { items: rows.map(variableOf), total: countVariables(db, home) };
}

export function countVariables(db: Database, home: HomeKey): number {
  const { sql, params } = inHome(home);
  return db.query<{ n: number }>(`SELECT count(*) AS n FROM actions_variables WHERE ${sql}`).get(params)?.n ?? 0;
}

/** The site's, then the owner's, then the repository's. */
export function variablesOfJobs(db: Database, repoId: number, ownerId: number): Pick<Variable, "name" | "value">[] {
  const sql = `SELECT name, value, 0 AS place FROM actions_variables WHERE repo_id IS NULL AND owner_id IS NULL
    UNION ALL SELECT name, value, 1 FROM actions_variables WHERE owner_id = $ownerId
    UNION ALL SELECT name, value, 2 FROM actions_variables WHERE repo_id = $repoId ORDER BY place, name`;
  return db.query<Pick<Variable, "name" | "value">>(sql).all({ repoId, ownerId });
}

export function findVariable(db: Database, home: HomeKey, name: string): Variable | undefined {
  const { sql, params } = inHome(home);
  const row = db
    .query<VariableRow>(`SELECT ${columns} FROM actions_variables WHERE ${sql} AND name = $name`)
    .get({ ...params, name });
  return row ? variableOf(row) : undefined;
}

export function findVariableById(db: Database, home: HomeKey, id: number): Variable | undefined {
  const { sql, params } = inHome(home);
  const row = db
    .query<VariableRow>(`SELECT ${columns} FROM actions_variables WHERE id = $id AND ${sql}`)
    .get({ ...params, id });
  return row ? variableOf(row) : undefined;
}

export function insertVariable(db: Database, variable: Omit<Variable, "id">, now: number): void {
  const { description, name, ownerId, repoId, value } = variable;
  db.query(
    `INSERT INTO actions_variables (repo_id, owner_id, name, value, description, created_at, updated_at)
     VALUES ($repoId, $ownerId, $name, $value, $description, $now, $now)`,
  ).run({ repoId: repoId ?? null, ownerId: ownerId ?? null, name, value, description, now });
}

export function updateVariable(db: Database, { description, id, name, value }: Variable, now: number): void {
  db.query(
    "UPDATE actions_variables SET name = $name, value = $value, description = $description, updated_at = $now WHERE id = $id",
  ).run({ id, name, value, description, now });
}

export function deleteVariable(db: Database, id: number): void {
  db.query("DELETE FROM actions_variables WHERE id = ?").run(id);
}
