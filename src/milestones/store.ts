import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { Milestone, MilestoneFilter, MilestoneOrder, MilestoneState } from "./types.ts";

interface MilestoneRow {
  id: number;
  repo_id: number;
  title: string;
  description: string;
  due_at: number | null;
  closed_at: number | null;
  open_items: number;
  closed_items: number;
  created_at: number;
  updated_at: number;
}

function milestoneOf(row: MilestoneRow): Milestone {
  return {
    id: row.id,
    repoId: row.repo_id,
    title: row.title,
    description: row.description,
    dueAt: row.due_at ?? undefined,
    closedAt: row.closed_at ?? undefined,
    openItems: row.open_items,
    closedItems: row.closed_items,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function findMilestones(db: Database, ids: readonly number[]): Map<number, Milestone> {
  const sql = "SELECT * FROM milestones WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<MilestoneRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, milestoneOf(row)]),
  );
}

const stateSql: Readonly<Record<MilestoneState, string>> = {
  all: "1",
  closed: "closed_at IS NOT NULL",
  open: "closed_at IS NULL",
};

/** What is done of all there is; nothing of nothing. */
const done = "closed_items * 1.0 / max(1, open_items + closed_items)";
// SQLite has NULL before everything: milestones without a day come first.
const orderSql: Readonly<Record<MilestoneOrder, string>> = {
  closestduedate: "due_at, title, id",
  furthestduedate: "due_at DESC, title, id",
  leastcomplete: `${done}, title, id`,
  mostcomplete: `${done} DESC, title, id`,
  leastissues: "open_items + closed_items, title, id",
  mostissues: "open_items + closed_items DESC, title, id",
  id: "id",
  name: "title, id",
};

export function listMilestones(
  db: Database,
  repoId: number,
  { name, order, state }: MilestoneFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Milestone> {
  const where = `repo_id = ? AND ${stateSql[state]} AND instr(lower_title, ?) > 0`;
  const part = name.toLowerCase();
  const rows = db
    .query<MilestoneRow>(`SELECT * FROM milestones WHERE ${where} ORDER BY ${orderSql[order]} LIMIT ? OFFSET ?`)
    .all(repoId, part, limit, offset);
  const total = db
    .query<{ total: number }>(`SELECT count(*) AS total FROM milestones WHERE ${where}`)
    .get(repoId, part);
  return { items: rows.map(milestoneOf), total: total?.total ?? 0 };
}

/** How many of the repository's are open, and how many closed. */
export function countMilestones(db: Database, repoId: number): { open: number; closed: number } {
  const sql = `SELECT count(*) FILTER (WHERE closed_at IS NULL) AS open, count(closed_at) AS closed
    FROM milestones WHERE repo_id = ?`;
  return db.query<{ open: number; closed: number }>(sql).get(repoId) ?? { open: 0, closed: 0 };
}

/** The oldest with this title, exactly. */
export function findMilestoneTitled(db: Database, repoId: number, title: string): Milestone | undefined {
  const sql = "SELECT * FROM milestones WHERE repo_id = ? AND lower_title = ? AND title = ? ORDER BY id LIMIT 1";
  const row = db.query<MilestoneRow>(sql).get(repoId, title.toLowerCase(), title);
  return row ? milestoneOf(row) : undefined;
}

export type MilestoneValues = Pick<Milestone, "title" | "description" | "dueAt" | "closedAt">;

const paramsOf = ({ closedAt, description, dueAt, title }: MilestoneValues) => ({
  title,
  lowerTitle: title.toLowerCase(),
  description,
  dueAt: dueAt ?? null,
  closedAt: closedAt ?? null,
});

export function insertMilestone(db: Database, repoId: number, values: MilestoneValues, now: number): Milestone {
  const sql = `INSERT INTO milestones (repo_id, title, lower_title, description, due_at, closed_at, created_at, updated_at)
    VALUES ($repoId, $title, $lowerTitle, $description, $dueAt, $closedAt, $now, $now) RETURNING *`;
  const row = db.query<MilestoneRow>(sql).get({ ...paramsOf(values), repoId, now });
  if (!row) throw new Error("an inserted milestone has a row");
  return milestoneOf(row);
}

export function updateMilestone(db: Database, id: number, values: MilestoneValues, now: number): Milestone | undefined {
  const sql = `UPDATE milestones SET title = $title, lower_title = $lowerTitle, description = $description,
      due_at = $dueAt, closed_at = $closedAt, updated_at = $now
    WHERE id = $id RETURNING *`;
  const row = db.query<MilestoneRow>(sql).get({ ...paramsOf(values), id, now });
  return row ? milestoneOf(row) : undefined;
}

/** Items keep no milestone; their timelines keep that there was one. */
export function deleteMilestone(db: Database, id: number): void {
  db.query("DELETE FROM milestones WHERE id = ?").run(id);
}
