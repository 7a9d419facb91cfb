import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { Pull, PullCheck, PullStatus } from "./types.ts";

interface PullRow {
  id: number;
  issue_id: number;
  repo_id: number;
  number: number;
  base_branch: string;
  head_repo_id: number | null;
  head_branch: string;
  is_agit: number;
  head_oid: string;
  checked_base: string;
  checked_head: string;
  announced_head: string;
  status: PullStatus;
  merge_base: string;
  ahead: number;
  behind: number;
  additions: number;
  deletions: number;
  changed_files: number;
  conflicts: string;
  protected_files: string;
  allows_maintainer_edit: number;
  is_open: number;
  merged_at: number | null;
  merged_by_id: number | null;
  merge_commit: string;
  is_merged_by_hand: number;
}

/** Most have none. */
const pathsIn = (json: string) => (json === "[]" ? [] : (JSON.parse(json) as string[]));

function pullOf(row: PullRow): Pull {
  return {
    id: row.id,
    issueId: row.issue_id,
    repoId: row.repo_id,
    number: row.number,
    baseBranch: row.base_branch,
    headRepoId: row.head_repo_id ?? undefined,
    headBranch: row.head_branch,
    isAgit: row.is_agit === 1,
    headOid: row.head_oid,
    checkedBase: row.checked_base,
    checkedHead: row.checked_head,
    announcedHead: row.announced_head,
    status: row.status,
    mergeBase: row.merge_base || undefined,
    ahead: row.ahead,
    behind: row.behind,
    additions: row.additions,
    deletions: row.deletions,
    changedFiles: row.changed_files,
    conflicts: pathsIn(row.conflicts),
    protectedFiles: pathsIn(row.protected_files),
    allowsMaintainerEdit: row.allows_maintainer_edit === 1,
    isOpen: row.is_open === 1,
    mergedAt: row.merged_at ?? undefined,
    mergedById: row.merged_by_id ?? undefined,
    mergeCommit: row.merge_commit,
    isMergedByHand: row.is_merged_by_hand === 1,
  };
}

export interface NewPullRow
  extends Pick<
    Pull,
    | "issueId"
    | "repoId"
    | "number"
    | "baseBranch"
    | "headRepoId"
    | "headBranch"
    | "isAgit"
    | "headOid"
    | "allowsMaintainerEdit"
  > {}

export function insertPull(db: Database, row: NewPullRow): Pull {
  const sql = `INSERT INTO pulls (issue_id, repo_id, number, base_branch, head_repo_id, head_branch, is_agit, head_oid,
      announced_head, allows_maintainer_edit)
    VALUES ($issueId, $repoId, $number, $baseBranch, $headRepoId, $headBranch, $isAgit, $headOid,
      $headOid, $allowsMaintainerEdit)
    RETURNING *`;
  const made = db.query<PullRow>(sql).get({
    ...row,
    headRepoId: row.headRepoId ?? null,
    isAgit: row.isAgit ? 1 : 0,
    allowsMaintainerEdit: row.allowsMaintainerEdit ? 1 : 0,
  });
  if (!made) throw new Error("an inserted pull request has a row");
  return pullOf(made);
}

export function findPull(db: Database, issueId: number): Pull | undefined {
  const row = db.query<PullRow>("SELECT * FROM pulls WHERE issue_id = ?").get(issueId);
  return row ? pullOf(row) : undefined;
}

/** By item id. */
export function findPulls(db: Database, issueIds: readonly number[]): Map<number, Pull> {
  if (issueIds.length === 0) return new Map();
  const rows = db
    .query<PullRow>("SELECT * FROM pulls WHERE issue_id IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(issueIds));
  return new Map(rows.map((row) => [row.issue_id, pullOf(row)]));
}

/** The merge times of those items that are pull requests: lists need nothing else. */
export function mergeTimes(db: Database, issueIds: readonly number[]): Map<number, number | undefined> {
  if (issueIds.length === 0) return new Map();
  const sql = `SELECT issue_id AS id, merged_at AS mergedAt FROM pulls
    WHERE issue_id IN (SELECT value FROM json_each(?))`;
  const rows = db.query<{ id: number; mergedAt: number | null }>(sql).all(JSON.stringify(issueIds));
  return new Map(rows.map(({ id, mergedAt }) => [id, mergedAt ?? undefined]));
}

export function openByHead(db: Database, repoId: number, branch: string): Pull[] {
  const sql =
    "SELECT * FROM pulls WHERE head_repo_id = ? AND head_branch = ? AND is_open = 1 AND is_agit = 0 ORDER BY id";
  return db.query<PullRow>(sql).all(repoId, branch).map(pullOf);
}

/** Whether a branch has an open one, or had one for the commit it is at. */
export function isProposed(db: Database, headRepoId: number, branch: string, oid: string): boolean {
  const sql = `SELECT 1 FROM pulls WHERE head_repo_id = ? AND head_branch = ? AND is_agit = 0
    AND (is_open = 1 OR head_oid = ?) LIMIT 1`;
  return db.query(sql).get(headRepoId, branch, oid) !== null;
}

export function openByBase(db: Database, repoId: number, branch: string): Pull[] {
  const sql = "SELECT * FROM pulls WHERE repo_id = ? AND base_branch = ? AND is_open = 1 ORDER BY id";
  return db.query<PullRow>(sql).all(repoId, branch).map(pullOf);
}

/** Open ones whose head is that commit. */
export function openAtCommit(db: Database, repoId: number, commit: Oid): Pull[] {
  const sql = "SELECT * FROM pulls WHERE repo_id = ? AND head_oid = ? AND is_open = 1";
  return db.query<PullRow>(sql).all(repoId, commit).map(pullOf);
}

/** Open ones into other repositories whose head is a branch of this one. */
export function openFromRepo(db: Database, headRepoId: number): Pull[] {
  const sql = "SELECT * FROM pulls WHERE head_repo_id = ? AND is_open = 1 AND repo_id <> ? ORDER BY id";
  return db.query<PullRow>(sql).all(headRepoId, headRepoId).map(pullOf);
}

export interface BranchPair {
  readonly repoId: number;
  readonly baseBranch: string;
  readonly headRepoId: number;
  readonly headBranch: string;
  readonly isAgit?: boolean;
}

/** Between two branches, open ones first, then newest first. */
export function between(db: Database, pair: BranchPair): Pull[] {
  const sql = `SELECT * FROM pulls WHERE head_repo_id = ? AND head_branch = ? AND repo_id = ? AND base_branch = ? AND is_agit = ?
    ORDER BY is_open DESC, id DESC LIMIT 50`;
  const { baseBranch, headBranch, headRepoId, isAgit = false, repoId } = pair;
  return db
    .query<PullRow>(sql)
    .all(headRepoId, headBranch, repoId, baseBranch, isAgit ? 1 : 0)
    .map(pullOf);
}

/** The one whose merge made that commit the tip of the base. */
export function mergedAs(db: Database, repoId: number, commit: Oid): Pull | undefined {
  const sql = "SELECT * FROM pulls WHERE repo_id = ? AND merge_commit = ? ORDER BY id LIMIT 1";
  const row = db.query<PullRow>(sql).get(repoId, commit);
  return row ? pullOf(row) : undefined;
}

/** Those merged as any of these commits, in the order of their merges. */
export function mergedAsAny(db: Database, repoId: number, commits: readonly Oid[]): Pull[] {
  const sql = `SELECT pulls.* FROM json_each(?) AS asked CROSS JOIN pulls
    ON pulls.repo_id = ? AND pulls.merge_commit = asked.value AND pulls.merge_commit <> ''
    ORDER BY pulls.merged_at, pulls.id`;
  return db.query<PullRow>(sql).all(JSON.stringify(commits), repoId).map(pullOf);
}

/** Which of these accounts had nothing merged in the repository before that pull request. */
export function firstMergedBy(db: Database, repoId: number, posterIds: readonly number[], before: number): number[] {
  const sql = `SELECT value AS posterId FROM json_each($posters) WHERE NOT EXISTS
    (SELECT 1 FROM issues JOIN pulls ON pulls.issue_id = issues.id
      WHERE issues.repo_id = $repo AND issues.poster_id = value AND pulls.merged_at < $before)`;
  const rows = db.query<{ posterId: number }>(sql).all({ posters: JSON.stringify(posterIds), repo: repoId, before });
  return rows.map(({ posterId }) => posterId);
}

/** Stores the result for two commits; leaves the item's timestamp unchanged. */
export function setCheck(db: Database, issueId: number, check: PullCheck, base: Oid, head: Oid): void {
  db.query(
    `UPDATE pulls SET checked_base = $base, checked_head = $head, status = $status, merge_base = $mergeBase, ahead = $ahead,
       behind = $behind, additions = $additions, deletions = $deletions, changed_files = $changedFiles,
       conflicts = $conflicts, protected_files = $protectedFiles
     WHERE issue_id = $issueId`,
  ).run({
    issueId,
    base,
    head,
    status: check.status,
    mergeBase: check.mergeBase ?? "",
    ahead: check.ahead,
    behind: check.behind,
    additions: check.additions,
    deletions: check.deletions,
    changedFiles: check.changedFiles,
    conflicts: JSON.stringify(check.conflicts),
    protectedFiles: JSON.stringify(check.protectedFiles),
  });
}

export function setStatus(db: Database, issueId: number, status: PullStatus): void {
  db.query("UPDATE pulls SET status = ? WHERE issue_id = ?").run(status, issueId);
}

/** Marks every open one of a base to be checked again. @returns how many */
export function uncheckBase(db: Database, repoId: number, branch: string): number {
  const sql = "UPDATE pulls SET status = 'checking' WHERE repo_id = ? AND base_branch = ? AND is_open = 1";
  return db.query(sql).run(repoId, branch).changes;
}

export function setHead(db: Database, issueId: number, oid: Oid): void {
  db.query("UPDATE pulls SET head_oid = ?, status = 'checking' WHERE issue_id = ?").run(oid, issueId);
}

/** Records that the timeline covers everything up to that head. */
export function setAnnounced(db: Database, issueId: number, oid: Oid): void {
  db.query("UPDATE pulls SET announced_head = ? WHERE issue_id = ?").run(oid, issueId);
}

/** Whether any open pull request involves a repository, so that its branches matter. */
export function hasOpen(db: Database, repoId: number): boolean {
  const sql = `SELECT 1 WHERE EXISTS (SELECT 1 FROM pulls WHERE repo_id = ?1 AND is_open = 1)
    OR EXISTS (SELECT 1 FROM pulls WHERE head_repo_id = ?1 AND is_open = 1)`;
  return db.query(sql).get(repoId) !== null;
}

/** Whether this account has had a pull request merged. */
export function hasMergedOf(db: Database, repoId: number, posterId: number): boolean {
  const sql = `SELECT 1 FROM issues JOIN pulls ON pulls.issue_id = issues.id
    WHERE issues.repo_id = ? AND issues.poster_id = ? AND issues.is_pull = 1 AND issues.is_closed = 1
      AND pulls.merged_at IS NOT NULL LIMIT 1`;
  return db.query(sql).get(repoId, posterId) !== null;
}

/** Item ids of open ones of a base with activity since then (milliseconds since 1970). */
export function activeByBase(db: Database, repoId: number, branch: string, since: number): number[] {
  const sql = `SELECT pulls.issue_id AS id FROM pulls JOIN issues ON issues.id = pulls.issue_id
    WHERE pulls.repo_id = ? AND pulls.base_branch = ? AND pulls.is_open = 1 AND issues.updated_at >= ? ORDER BY pulls.id`;
  return db
    .query<{ id: number }>(sql)
    .all(repoId, branch, since)
    .map(({ id }) => id);
}

/** The name, on its original forge, of who merged an imported one; empty if it was merged here or that is unknown. */
export function mergerElsewhere(db: Database, issueId: number): string {
  const sql = `SELECT original_author AS name FROM timeline WHERE issue_id = ? AND kind = 'merge_pull' ORDER BY id DESC LIMIT 1`;
  return db.query<{ name: string }>(sql).get(issueId)?.name ?? "";
}

/** For imported ones; otherwise the item's state sets it. */
export function setOpen(db: Database, issueId: number, isOpen: boolean): void {
  db.query("UPDATE pulls SET is_open = ? WHERE issue_id = ?").run(isOpen ? 1 : 0, issueId);
}

export function setBase(db: Database, issueId: number, branch: string): void {
  db.query("UPDATE pulls SET base_branch = ?, status = 'checking' WHERE issue_id = ?").run(branch, issueId);
}

export function setMaintainerEdit(db: Database, issueId: number, isAllowed: boolean): void {
  db.query("UPDATE pulls SET allows_maintainer_edit = ? WHERE issue_id = ?").run(isAllowed ? 1 : 0, issueId);
}

export interface Merged {
  readonly at: number;
  readonly byId: number | undefined;
  readonly commit: Oid;
  readonly isByHand: boolean;
}

export function setMerged(db: Database, issueId: number, { at, byId, commit, isByHand }: Merged): void {
  db.query(
    `UPDATE pulls SET merged_at = ?, merged_by_id = ?, merge_commit = ?, is_merged_by_hand = ?, conflicts = '[]',
       status = CASE WHEN status = 'checking' THEN 'mergeable' ELSE status END
     WHERE issue_id = ?`,
  ).run(at, byId ?? null, commit, isByHand ? 1 : 0, issueId);
}

/** Lets unmerged ones follow a branch to its new name. */
export function renameBranch(db: Database, repoId: number, from: string, to: string): void {
  db.query("UPDATE pulls SET base_branch = ? WHERE repo_id = ? AND base_branch = ? AND merged_at IS NULL").run(
    to,
    repoId,
    from,
  );
  db.query(
    "UPDATE pulls SET head_branch = ? WHERE head_repo_id = ? AND head_branch = ? AND is_agit = 0 AND merged_at IS NULL",
  ).run(to, repoId, from);
}

/** Renames the heads of open ones made by an account's pushes. */
export function renamePusher(db: Database, userId: number, from: string, to: string): void {
  db.query(
    `UPDATE pulls SET head_branch = $to || substr(head_branch, length($from) + 1)
     WHERE is_agit = 1 AND is_open = 1 AND substr(head_branch, 1, length($from)) = $from
       AND issue_id IN (SELECT id FROM issues WHERE poster_id = $userId AND is_pull = 1 AND is_closed = 0)`,
  ).run({ userId, from: `${from.toLowerCase()}/`, to: `${to.toLowerCase()}/` });
}

/** The base branches of a repository's open ones. */
export function openBases(db: Database, repoId: number): string[] {
  const sql = "SELECT DISTINCT base_branch AS name FROM pulls WHERE repo_id = ? AND is_open = 1";
  return db
    .query<{ name: string }>(sql)
    .all(repoId)
    .map(({ name }) => name);
}
