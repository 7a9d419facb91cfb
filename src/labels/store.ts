import type { Database } from "../db/database.ts";
import type { Label } from "./types.ts";

interface LabelRow {
  id: number;
  repo_id: number | null;
  owner_id: number | null;
  name: string;
  color: string;
  description: string;
  is_exclusive: number;
  exclusive_order: number;
  archived_at: number | null;
  open_items: number;
  closed_items: number;
  created_at: number;
  updated_at: number;
}

function labelOf(row: LabelRow): Label {
  return {
    id: row.id,
    repoId: row.repo_id ?? undefined,
    ownerId: row.owner_id ?? undefined,
    name: row.name,
    color: row.color,
    description: row.description,
    isExclusive: row.is_exclusive === 1,
    exclusiveOrder: row.exclusive_order,
    archivedAt: row.archived_at ?? undefined,
    openItems: row.open_items,
    closedItems: row.closed_items,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function findLabels(db: Database, ids: readonly number[]): Map<number, Label> {
  const sql = "SELECT * FROM labels WHERE id IN (SELECT value FROM json_each(?))";
  return new Map(
    db
      .query<LabelRow>(sql)
      .all(JSON.stringify(ids))
      .map((row) => [row.id, labelOf(row)]),
  );
}
