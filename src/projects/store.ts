import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { CardType, Project, ProjectFilter, ProjectOrder, ProjectTemplate } from "./types.ts";

/** Rows of projects; columns and cards have separate stores. */

interface ProjectRow {
  id: number;
  repo_id: number | null;
  owner_id: number | null;
  creator_id: number | null;
  title: string;
  description: string;
  template: ProjectTemplate;
  card_type: CardType;
  closed_at: number | null;
  open_items: number;
  closed_items: number;
  created_at: number;
  updated_at: number;
}

function projectOf(row: ProjectRow): Project {
  return {
    id: row.id,
    repoId: row.repo_id ?? undefined,
    ownerId: row.owner_id ?? undefined,
    creatorId: row.creator_id ?? undefined,
    title: row.title,
    description: row.description,
    template: row.template,
    cardType: row.card_type,
    closedAt: row.closed_at ?? undefined,
    openItems: row.open_items,
    closedItems: row.closed_items,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The owner of boards: a repository or an account. */
export type ProjectOwner = { readonly repoId: number } | { readonly ownerId: number };

/** The column that refers to the owner, and its value. */
const ownedBy = (owner: ProjectOwner) =>
  "repoId" in owner ? (["repo_id", owner.repoId] as const) : (["owner_id", owner.ownerId] as const);

const stateSql = { all: "1", closed: "closed_at IS NOT NULL", open: "closed_at IS NULL" } as const;

const orderSql: Readonly<Record<ProjectOrder, string>> = {
  newest: "created_at DESC, id DESC",
  oldest: "created_at, id",
  recentupdate: "updated_at DESC, id DESC",
  leastupdate: "updated_at, id",
  alphabetically: "lower_title, id",
  reversealphabetically: "lower_title DESC, id DESC",
};

export function listProjects(
  db: Database,
  owner: ProjectOwner,
  { order, state, text }: ProjectFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Project> {
  const [column, id] = ownedBy(owner);
  const where = `${column} = ? AND ${stateSql[state]} AND instr(lower_title, ?) > 0`;
  const part = text.toLowerCase();
  const rows = db
    .query<ProjectRow>(`SELECT * FROM projects WHERE ${where} ORDER BY ${orderSql[order]} LIMIT ? OFFSET ?`)
    .all(id, part, limit, offset);
  const total = db.query<{ total: number }>(`SELECT count(*) AS total FROM projects WHERE ${where}`).get(id, part);
  return { items: rows.map(projectOf), total: total?.total ?? 0 };
}

export function hasOpenProject(db: Database, owner: ProjectOwner): boolean {
  const [column, id] = ownedBy(owner);
  return db.query(`SELECT 1 FROM projects WHERE ${column} = ? AND closed_at IS NULL LIMIT 1`).get(id) !== null;
}

export function countProjects(db: Database, owner: ProjectOwner): { open: number; closed: number } {
  const [column, id] = ownedBy(owner);
  const sql = `SELECT count(*) FILTER (WHERE closed_at IS NULL) AS open, count(closed_at) AS closed
    FROM projects WHERE ${column} = ?`;
  return db.query<{ open: number; closed: number }>(sql).get(id) ?? { open: 0, closed: 0 };
}

export function findProjects(db: Database, ids: readonly number[]): Map<number, Project> {
  const sql = "SELECT * FROM projects WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<ProjectRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, projectOf(row)]),
  );
}

export type ProjectValues = Pick<Project, "title" | "description" | "cardType">;

export function insertProject(
  db: Database,
  owner: ProjectOwner,
  values: ProjectValues & { readonly template: ProjectTemplate; readonly creatorId: number },
  now: number,
): Project {
  const [column, id] = ownedBy(owner);
  const sql = `INSERT INTO projects
      (${column}, creator_id, title, lower_title, description, template, card_type, created_at, updated_at)
    VALUES ($owner, $creatorId, $title, $lowerTitle, $description, $template, $cardType, $now, $now) RETURNING *`;
  const row = db.query<ProjectRow>(sql).get({ ...values, lowerTitle: values.title.toLowerCase(), owner: id, now });
  if (!row) throw new Error("an inserted project has a row");
  return projectOf(row);
}

export function updateProject(db: Database, id: number, values: ProjectValues, now: number): void {
  const sql = `UPDATE projects SET title = $title, lower_title = $lowerTitle, description = $description,
      card_type = $cardType, updated_at = $now WHERE id = $id`;
  db.query(sql).run({ ...values, lowerTitle: values.title.toLowerCase(), id, now });
}

export function setProjectClosed(db: Database, id: number, closedAt: number | undefined, now: number): void {
  db.query("UPDATE projects SET closed_at = ?, updated_at = ? WHERE id = ?").run(closedAt ?? null, now, id);
}

export function touchProject(db: Database, id: number, now: number): void {
  db.query("UPDATE projects SET updated_at = ? WHERE id = ?").run(now, id);
}

/** Deletes its columns and cards, too. */
export function deleteProject(db: Database, id: number): void {
  db.query("DELETE FROM project_cards WHERE project_id = ?").run(id);
  db.query("DELETE FROM projects WHERE id = ?").run(id);
}
