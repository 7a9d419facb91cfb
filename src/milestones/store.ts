import type { Database } from "../db/database.ts";
import type { Milestone } from "./types.ts";

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
