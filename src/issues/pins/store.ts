import type { Database } from "../../db/database.ts";
import type { Issue } from "../types.ts";

type Pinned = Pick<Issue, "repoId" | "isPull" | "pinOrder">;

/** Moves later pins up. */
export function closePinGap(db: Database, { repoId, isPull, pinOrder }: Pinned): void {
  db.query("UPDATE issues SET pin_order = pin_order - 1 WHERE repo_id = ? AND is_pull = ? AND pin_order > ?").run(
    repoId,
    isPull ? 1 : 0,
    pinOrder,
  );
}

/** How many items of a kind are pinned in a repository. */
export function countPinned(db: Database, repoId: number, isPull: boolean): number {
  const sql = "SELECT count(*) AS n FROM issues WHERE repo_id = ? AND is_pull = ? AND pin_order > 0";
  return db.query<{ n: number }>(sql).get(repoId, isPull ? 1 : 0)?.n ?? 0;
}

/** In pin order. */
export function pinnedIds(db: Database, repoId: number, isPull: boolean): number[] {
  const sql = "SELECT id FROM issues WHERE repo_id = ? AND is_pull = ? AND pin_order > 0 ORDER BY pin_order, id";
  return db
    .query<{ id: number }>(sql)
    .all(repoId, isPull ? 1 : 0)
    .map(({ id }) => id);
}

/** Moves later pins down to make room. */
export function openPinGap(db: Database, { repoId, isPull }: Pinned, at: number): void {
  db.query("UPDATE issues SET pin_order = pin_order + 1 WHERE repo_id = ? AND is_pull = ? AND pin_order >= ?").run(
    repoId,
    isPull ? 1 : 0,
    at,
  );
}
