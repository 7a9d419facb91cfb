import type { Database } from "../../db/database.ts";

/** An owner's repositories with items that the account is assigned to or has chosen to watch or not. */
export function reposOfItemsWith(db: Database, ownerId: number, userId: number): number[] {
  const having = (table: "issue_assignees" | "issue_watches") =>
    `SELECT issues.repo_id AS id FROM ${table} AS theirs JOIN issues ON issues.id = theirs.issue_id
       JOIN repositories ON repositories.id = issues.repo_id
     WHERE theirs.user_id = $user AND repositories.owner_id = $owner`;
  return db
    .query<{ id: number }>(`${having("issue_assignees")} UNION ${having("issue_watches")}`)
    .all({ owner: ownerId, user: userId })
    .map(({ id }) => id);
}

export function unassign(db: Database, repoId: number, userId: number): void {
  deleteFrom(db, "issue_assignees", repoId, userId);
}

export function unwatch(db: Database, repoId: number, userId: number): void {
  deleteFrom(db, "issue_watches", repoId, userId);
}

function deleteFrom(db: Database, table: "issue_assignees" | "issue_watches", repoId: number, userId: number): void {
  db.query(
    `DELETE FROM ${table} WHERE user_id = $user AND issue_id IN
       (SELECT issue_id FROM ${table} AS theirs JOIN issues ON issues.id = theirs.issue_id
        WHERE theirs.user_id = $user AND issues.repo_id = $repo)`,
  ).run({ repo: repoId, user: userId });
}
