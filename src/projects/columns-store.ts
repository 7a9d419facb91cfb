import type { Database } from "../db/database.ts";
import type { ProjectColumn } from "./types.ts";

interface ColumnRow {
  id: number;
  project_id: number;
  title: string;
  color: string;
  sorting: number;
  is_default: number;
  cards: number;
}

function columnOf(row: ColumnRow): ProjectColumn {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    color: row.color,
    sorting: row.sorting,
    isDefault: row.is_default === 1,
    cards: row.cards,
  };
}

/** In order. */
export function columnsOf(db: Database, projectId: number): ProjectColumn[] {
  const sql = "SELECT * FROM project_columns WHERE project_id = ? ORDER BY sorting, id";
  return db.query<ColumnRow>(sql).all(projectId).map(columnOf);
}

export function findColumns(db: Database, ids: readonly number[]): Map<number, ProjectColumn> {
  const sql = "SELECT * FROM project_columns WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<ColumnRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, columnOf(row)]),
  );
}

export type ColumnValues = Pick<ProjectColumn, "title" | "color" | "sorting" | "isDefault">;

export function insertColumn(db: Database, projectId: number, values: ColumnValues, now: number): ProjectColumn {
  const sql = `INSERT INTO project_columns (project_id, title, color, sorting, is_default, created_at, updated_at)
    VALUES ($projectId, $title, $color, $sorting, $isDefault, $now, $now) RETURNING *`;
  const row = db.query<ColumnRow>(sql).get({ ...values, isDefault: values.isDefault ? 1 : 0, projectId, now });
  if (!row) throw new Error("an inserted column has a row");
  return columnOf(row);
}

export function updateColumn(
  db: Database,
  id: number,
  { color, sorting, title }: Omit<ColumnValues, "isDefault">,
  now: number,
): void {
  const sql = "UPDATE project_columns SET title = ?, color = ?, sorting = ?, updated_at = ? WHERE id = ?";
  db.query(sql).run(title, color, sorting, now, id);
}

/** Makes this the column to which its project's new cards are added. */
export function setDefaultColumn(db: Database, { id, projectId }: ProjectColumn, now: number): void {
  db.query("UPDATE project_columns SET is_default = 0 WHERE project_id = ? AND is_default = 1").run(projectId);
  db.query("UPDATE project_columns SET is_default = 1, updated_at = ? WHERE id = ?").run(now, id);
}

export function deleteColumn(db: Database, id: number): void {
  db.query("DELETE FROM project_columns WHERE id = ?").run(id);
}
