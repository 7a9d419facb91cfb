import type { Database } from "../../db/database.ts";

export function hasOpenBlockers(db: Database, issueId: number): boolean {
  const sql = `SELECT 1 FROM issue_dependencies JOIN issues ON issues.id = issue_dependencies.blocker_id
    WHERE issue_dependencies.blocked_id = ? AND issues.is_closed = 0`;
  return db.query(sql).get(issueId) !== null;
}

/** @returns whether it is new */
export function insertDependency(
  db: Database,
  blockedId: number,
  blockerId: number,
  userId: number | undefined,
  now: number,
): boolean {
  const sql =
    "INSERT OR IGNORE INTO issue_dependencies (blocked_id, blocker_id, user_id, created_at) VALUES (?, ?, ?, ?)";
  return db.query(sql).run(blockedId, blockerId, userId ?? null, now).changes > 0;
}

/** @returns whether it existed */
export function deleteDependency(db: Database, blockedId: number, blockerId: number): boolean {
  const sql = "DELETE FROM issue_dependencies WHERE blocked_id = ? AND blocker_id = ?";
  return db.query(sql).run(blockedId, blockerId).changes > 0;
}

export function isDependency(db: Database, blockedId: number, blockerId: number): boolean {
  const sql = "SELECT 1 FROM issue_dependencies WHERE blocked_id = ? AND blocker_id = ?";
  return db.query(sql).get(blockedId, blockerId) !== null;
}

/** The item's own repository first, then by repository, newest first. */
const order = "ORDER BY issues.repo_id <> $repo, issues.repo_id, issues.created_at DESC, issues.id DESC";

/** The items that block an item, without an access check. */
export function blockersOf(db: Database, issueId: number, repoId: number): number[] {
  const sql = `SELECT issues.id FROM issue_dependencies JOIN issues ON issues.id = issue_dependencies.blocker_id
    WHERE issue_dependencies.blocked_id = $issue ${order}`;
  return db
    .query<{ id: number }>(sql)
    .all({ issue: issueId, repo: repoId })
    .map(({ id }) => id);
}

/** The items that an item blocks, without an access check. */
export function blockedBy(db: Database, issueId: number, repoId: number): number[] {
  const sql = `SELECT issues.id FROM issue_dependencies JOIN issues ON issues.id = issue_dependencies.blocked_id
    WHERE issue_dependencies.blocker_id = $issue ${order}`;
  return db
    .query<{ id: number }>(sql)
    .all({ issue: issueId, repo: repoId })
    .map(({ id }) => id);
}

export function countDependencies(db: Database, issueId: number): number {
  const sql = `SELECT (SELECT count(*) FROM issue_dependencies WHERE blocked_id = $issue)
    + (SELECT count(*) FROM issue_dependencies WHERE blocker_id = $issue) AS n`;
  return db.query<{ n: number }>(sql).get({ issue: issueId })?.n ?? 0;
}
