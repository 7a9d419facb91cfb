import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { CommitStatus, StatusOrder, StatusState } from "./types.ts";

type Row = Omit<CommitStatus, "creatorId"> & { readonly creatorId: number | null };

/** A status with its source, which distinguishes checks of the same context. */
export interface NewStatusRow extends Omit<CommitStatus, "number"> {
  /** Empty: none. */
  readonly source: string;
}

const columns = `commit_id AS "commit", number, state, context, description, target_url AS targetUrl,
  creator_id AS creatorId, created_at AS createdAt`;

const statusOf = (row: Row): CommitStatus => ({ ...row, creatorId: row.creatorId ?? undefined });

export function countStatuses(db: Database, repoId: number, commit: Oid): number {
  // Statuses are never deleted individually, so the last number gives the count.
  const sql = "SELECT coalesce(max(number), 0) AS n FROM commit_statuses WHERE repo_id = ? AND commit_id = ?";
  return db.query<{ n: number }>(sql).get(repoId, commit)?.n ?? 0;
}

export function findStatus(db: Database, repoId: number, commit: Oid, number: number): CommitStatus | undefined {
  const sql = `SELECT ${columns} FROM commit_statuses WHERE repo_id = ? AND commit_id = ? AND number = ?`;
  const row = db.query<Row>(sql).get(repoId, commit, number);
  return row ? statusOf(row) : undefined;
}

/** @returns it with its number */
export function insertStatus(db: Database, repoId: number, status: NewStatusRow): CommitStatus {
  const row = db
    .query<Row>(
      `INSERT INTO commit_statuses
         (repo_id, commit_id, number, state, context, source, description, target_url, creator_id, created_at)
       VALUES ($repo, $commit,
         (SELECT coalesce(max(number), 0) + 1 FROM commit_statuses WHERE repo_id = $repo AND commit_id = $commit),
         $state, $context, $source, $description, $url, $creator, $at) RETURNING ${columns}`,
    )
    .get({
      repo: repoId,
      commit: status.commit,
      state: status.state,
      context: status.context,
      source: status.source,
      description: status.description,
      url: status.targetUrl,
      creator: status.creatorId ?? null,
      at: status.createdAt,
    });
  if (!row) throw new Error("the status was not stored");
  return statusOf(row);
}

/** The reference's names for orders, and their meaning there. */
const orders: Readonly<Record<StatusOrder, string>> = {
  oldest: "created_at, number",
  recentupdate: "created_at DESC, number DESC",
  leastupdate: "created_at, number",
  leastindex: "number DESC",
  highestindex: "number",
};

export function statusesOf(
  db: Database,
  repoId: number,
  commit: Oid,
  { order, state }: { readonly order: StatusOrder | undefined; readonly state: StatusState | undefined },
  { limit, offset }: Paging,
): Slice<CommitStatus> {
  const where = `FROM commit_statuses WHERE repo_id = $repo AND commit_id = $commit
    AND ($state IS NULL OR state = $state)`;
  const params = { repo: repoId, commit, state: state ?? null };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT ${columns} ${where} ORDER BY ${orders[order ?? "recentupdate"]} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { items: items.map(statusOf), total };
}

/** The number of newest statuses of all contexts in each state, for several commits at once. */
export function countStates(
  db: Database,
  repoId: number,
  commits: readonly Oid[],
): { readonly commit: Oid; readonly state: StatusState; readonly count: number }[] {
  return db
    .query<{ commit: Oid; state: StatusState; count: number }>(
      `SELECT commit_id AS "commit", state, count(*) AS count FROM (
         SELECT commit_id, state, max(number) FROM commit_statuses
          WHERE repo_id = $repo AND commit_id IN (SELECT value FROM json_each($commits)) GROUP BY commit_id, context, source)
       GROUP BY commit_id, state`,
    )
    .all({ repo: repoId, commits: JSON.stringify(commits) });
}

/** The newest one of a check. */
export function lastOfCheck(
  db: Database,
  repoId: number,
  { commit, context, source }: Pick<NewStatusRow, "commit" | "context" | "source">,
): CommitStatus | undefined {
  const sql = `SELECT ${columns} FROM commit_statuses WHERE repo_id = $repoId AND commit_id = $commit AND context = $context
    AND source = $source ORDER BY number DESC LIMIT 1`;
  const row = db.query<Row>(sql).get({ repoId, commit, context, source });
  return row ? statusOf(row) : undefined;
}

/** The newest status of every check, newest first. */
export function latestStatuses(db: Database, repoId: number, commit: Oid): CommitStatus[] {
  return db
    .query<Row>(
      `SELECT ${columns} FROM commit_statuses WHERE repo_id = $repo AND commit_id = $commit AND number IN (
         SELECT max(number) FROM commit_statuses WHERE repo_id = $repo AND commit_id = $commit GROUP BY context, source)
       ORDER BY number DESC`,
    )
    .all({ repo: repoId, commit })
    .map(statusOf);
}
