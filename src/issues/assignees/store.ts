import type { Database } from "../../db/database.ts";

export function assigneeIdsOf(db: Database, issueId: number): number[] {
  return db
    .query<{ id: number }>("SELECT user_id AS id FROM issue_assignees WHERE issue_id = ? ORDER BY user_id")
    .all(issueId)
    .map(({ id }) => id);
}

export function insertAssignee(db: Database, issueId: number, userId: number): void {
  db.query("INSERT OR IGNORE INTO issue_assignees (issue_id, user_id) VALUES (?, ?)").run(issueId, userId);
}

export function deleteAssignee(db: Database, issueId: number, userId: number): void {
  db.query("DELETE FROM issue_assignees WHERE issue_id = ? AND user_id = ?").run(issueId, userId);
}

/** Unassigns an account from all items in an owner's repositories. */
export function unassignWithOwner(db: Database, ownerId: number, userId: number): void {
  db.query(
    `DELETE FROM issue_assignees WHERE user_id = $user AND issue_id IN
       (SELECT issues.id FROM issues JOIN repositories ON repositories.id = issues.repo_id
        WHERE repositories.owner_id = $owner)`,
  ).run({ user: userId, owner: ownerId });
}
