import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { DayChange } from "./burn-down.ts";
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
  if (ids.length === 0) return new Map();
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

/** Fraction of items closed; 0 if there are none. */
const done = "closed_items * 1.0 / max(1, open_items + closed_items)";
// SQLite sorts NULL first, so milestones without a due date come first.
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

/** Milestones of these repositories. */
const ofRepos = "repo_id IN (SELECT value FROM json_each(?))";

export function listMilestones(
  db: Database,
  repoIds: readonly number[],
  { name, order, state }: MilestoneFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Milestone> {
  const [scope, repos] = repoIds.length === 1 ? ["repo_id = ?", repoIds[0] ?? 0] : [ofRepos, JSON.stringify(repoIds)];
  const where = `${scope} AND ${stateSql[state]} AND instr(lower_title, ?) > 0`;
  const part = name.toLowerCase();
  const rows = db
    .query<MilestoneRow>(`SELECT * FROM milestones WHERE ${where} ORDER BY ${orderSql[order]} LIMIT ? OFFSET ?`)
    .all(repos, part, limit, offset);
  const total = db.query<{ total: number }>(`SELECT count(*) AS total FROM milestones WHERE ${where}`).get(repos, part);
  return { items: rows.map(milestoneOf), total: total?.total ?? 0 };
}

/** Numbers of open and closed milestones of these repositories. */
export function countMilestones(db: Database, repoIds: readonly number[]): { open: number; closed: number } {
  const sql = `SELECT count(*) FILTER (WHERE closed_at IS NULL) AS open, count(closed_at) AS closed
    FROM milestones WHERE ${ofRepos}`;
  return db.query<{ open: number; closed: number }>(sql).get(JSON.stringify(repoIds)) ?? { open: 0, closed: 0 };
}

/** Ids of a milestone's items of some kinds, newest first. */
export function itemsOf(
  db: Database,
  milestoneId: number,
  { isClosed, kinds }: { readonly isClosed: boolean; readonly kinds: readonly (0 | 1)[] },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): number[] {
  const sql = `SELECT id FROM issues WHERE milestone_id = ? AND is_closed = ? AND is_pull IN (${kinds.join()})
    ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
  return db
    .query<{ id: number }>(sql)
    .all(milestoneId, isClosed ? 1 : 0, limit, offset)
    .map(({ id }) => id);
}

/** Items added to a milestone and closed, per day. */
export function changesByDay(db: Database, milestoneId: number): DayChange[] {
  const sql = `SELECT at / 86400000 * 86400000 AS day, sum(added) AS added, sum(closed) AS closed FROM (
      SELECT created_at AS at, 1 AS added, 0 AS closed FROM issues WHERE milestone_id = ?1
      UNION ALL SELECT closed_at, 0, 1 FROM issues WHERE milestone_id = ?1 AND closed_at IS NOT NULL)
    GROUP BY day ORDER BY day`;
  return db.query<DayChange>(sql).all(milestoneId);
}

/** The oldest milestone with exactly this title. */
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

/** Its items then have no milestone; their timelines still mention it. */
export function deleteMilestone(db: Database, id: number): void {
  db.query("DELETE FROM milestones WHERE id = ?").run(id);
}
