import type { Database } from "../../db/database.ts";
import type { RefAction } from "../timeline/types.ts";

/** The source of a reference: an item's title and text, or a comment. */
export interface Source {
  readonly issueId: number;
  readonly entryId: number | undefined;
}

/** A reference as recorded in its target's timeline. */
export interface StoredReference {
  /** The entry in the target's timeline. */
  readonly id: number;
  /** The target. */
  readonly issueId: number;
  readonly action: RefAction;
}

export function referencesOf(db: Database, { issueId, entryId }: Source): StoredReference[] {
  const columns = "SELECT id, issue_id AS issueId, ref_action AS action FROM timeline";
  return entryId === undefined
    ? db
        .query<StoredReference>(
          `${columns} WHERE other_issue_id = ? AND kind IN ('issue_ref', 'pull_ref') AND other_entry_id IS NULL`,
        )
        .all(issueId)
    : db.query<StoredReference>(`${columns} WHERE other_entry_id = ? AND kind = 'comment_ref'`).all(entryId);
}

export function setAction(db: Database, id: number, action: RefAction, now: number): void {
  db.query("UPDATE timeline SET ref_action = ?, updated_at = ? WHERE id = ?").run(action, now, id);
}

/** Neuters the references made by a comment being deleted. */
export function neuterReferencesOf(db: Database, entryId: number, now: number): void {
  db.query(
    "UPDATE timeline SET ref_action = 'neutered', updated_at = ? WHERE other_entry_id = ? AND kind = 'comment_ref'",
  ).run(now, entryId);
}

/** Ids of the items with these numbers, keyed by `repo number`. */
export function idsByNumber(
  db: Database,
  pairs: readonly (readonly [repoId: number, number: number])[],
): Map<string, number> {
  const sql = `SELECT issues.id, issues.repo_id AS repoId, issues.number FROM json_each(?) AS wanted
    JOIN issues ON issues.repo_id = wanted.value ->> 0 AND issues.number = wanted.value ->> 1`;
  return new Map(
    db
      .query<{ id: number; repoId: number; number: number }>(sql)
      .all(JSON.stringify(pairs))
      .map(({ id, number, repoId }) => [`${repoId} ${number}`, id]),
  );
}

export function addMention(db: Database, issueId: number, userId: number): void {
  db.query("INSERT INTO issue_mentions (issue_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING").run(issueId, userId);
}

export function hasCommitEntry(db: Database, issueId: number, commitId: string): boolean {
  const sql = "SELECT 1 FROM timeline WHERE issue_id = ? AND commit_id = ? AND kind = 'commit_ref'";
  return db.query(sql).get(issueId, commitId) !== null;
}

/**
 * What merging does to the issues the pull request refers to: for each, the latest keyword in its text or comments
 * wins.
 */
export function actionsOfMerge(db: Database, issueId: number): { issueId: number; action: RefAction }[] {
  const sql = `SELECT issue_id AS issueId, ref_action AS action FROM timeline
    WHERE other_issue_id = ? AND kind IN ('pull_ref', 'comment_ref') ORDER BY updated_at, id`;
  const rows = db.query<{ issueId: number; action: RefAction }>(sql).all(issueId);
  const last = new Map<number, RefAction>();
  for (const row of rows) if (row.action === "closes" || row.action === "reopens") last.set(row.issueId, row.action);
  return [...last].map(([target, action]) => ({ issueId: target, action }));
}
