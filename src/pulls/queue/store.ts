import type { Database } from "../../db/database.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { MergeStyle } from "../merge/types.ts";
import type { QueueEntry } from "./types.ts";

interface Row {
  id: number;
  issue_id: number;
  repo_id: number;
  branch: string;
  user_id: number;
  style: MergeStyle;
  title: string;
  message: string;
  deletes_branch: number | null;
  head_oid: string;
  onto_oid: string;
  candidate_oid: string;
  candidate_at: number;
  created_at: number;
}

function entryOf(row: Row): QueueEntry {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    branch: row.branch,
    userId: row.user_id,
    style: row.style,
    title: row.title,
    message: row.message,
    deletesBranch: row.deletes_branch === null ? undefined : row.deletes_branch === 1,
    headOid: row.head_oid,
    candidate:
      row.candidate_oid === "" ? undefined : { oid: row.candidate_oid, onto: row.onto_oid, madeAt: row.candidate_at },
    createdAt: row.created_at,
  };
}

export function insertEntry(db: Database, entry: Omit<QueueEntry, "id" | "candidate">): void {
  const { deletesBranch } = entry;
  db.query(
    `INSERT INTO merge_queue (issue_id, repo_id, branch, user_id, style, title, message, deletes_branch, head_oid, created_at)
     VALUES ($issueId, $repoId, $branch, $userId, $style, $title, $message, $deletesBranch, $headOid, $createdAt)`,
  ).run({ ...entry, deletesBranch: deletesBranch === undefined ? null : deletesBranch ? 1 : 0 });
}

export function findEntry(db: Database, issueId: number): QueueEntry | undefined {
  const row = db.query<Row>("SELECT * FROM merge_queue WHERE issue_id = ?").get(issueId);
  return row ? entryOf(row) : undefined;
}

/** In queue order. */
export function entriesOf(db: Database, repoId: number, branch: string): QueueEntry[] {
  const sql = "SELECT * FROM merge_queue WHERE repo_id = ? AND branch = ? ORDER BY id";
  return db.query<Row>(sql).all(repoId, branch).map(entryOf);
}

/** Number of entries before this one on its branch. */
export function countBefore(db: Database, { branch, id, repoId }: QueueEntry): number {
  const sql = "SELECT count(*) AS n FROM merge_queue WHERE repo_id = ? AND branch = ? AND id < ?";
  return db.query<{ n: number }>(sql).get(repoId, branch, id)?.n ?? 0;
}

/** The branches of a repository that have queued entries. */
export function queuedBranches(db: Database, repoId: number): string[] {
  const sql = "SELECT DISTINCT branch FROM merge_queue WHERE repo_id = ? ORDER BY branch";
  return db
    .query<{ branch: string }>(sql)
    .all(repoId)
    .map(({ branch }) => branch);
}

/** The branch whose queue is waiting for reports on that commit. */
export function branchOfCandidate(db: Database, repoId: number, commit: Oid): string | undefined {
  const sql = "SELECT branch FROM merge_queue WHERE repo_id = ? AND candidate_oid = ? AND candidate_oid <> ''";
  return db.query<{ branch: string }>(sql).get(repoId, commit)?.branch;
}

/** The entries whose candidates have refs, by the numbers of their pull requests. */
export function numbersWithCandidates(db: Database, repoId: number): Map<number, Oid> {
  const sql = `SELECT pulls.number, merge_queue.candidate_oid AS oid FROM merge_queue
    JOIN pulls ON pulls.issue_id = merge_queue.issue_id
    WHERE merge_queue.repo_id = ? AND merge_queue.candidate_oid <> ''`;
  const rows = db.query<{ number: number; oid: string }>(sql).all(repoId);
  return new Map(rows.map(({ number, oid }) => [number, oid]));
}

/** Does nothing if it is no longer queued. */
export function setCandidate(db: Database, id: number, onto: Oid, oid: Oid, at: number): void {
  const sql = "UPDATE merge_queue SET onto_oid = ?, candidate_oid = ?, candidate_at = ? WHERE id = ?";
  db.query(sql).run(onto, oid, at, id);
}

/** @returns whether it existed */
export function deleteEntry(db: Database, id: number): boolean {
  return db.query("DELETE FROM merge_queue WHERE id = ?").run(id).changes > 0;
}
