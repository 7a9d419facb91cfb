import type { Database } from "../db/database.ts";
import type { Paging } from "../kernel/paging.ts";

export interface ListedPulls {
  /** undefined: all. */
  readonly isClosed: boolean | undefined;
  readonly sort: string;
  /** Ids; matches pull requests with any of them. */
  readonly labels: readonly number[];
  /** 0: any. */
  readonly milestoneId: number;
  readonly posterId: number | undefined;
  /** Empty: any. */
  readonly baseBranch: string;
}

const due = `coalesce(min(issues.due_at, milestones.due_at), issues.due_at, milestones.due_at)`;

/** Sort orders by their API names (contract pulls.md 5.1); ties are sorted newest first. */
const orders: Readonly<Record<string, string>> = {
  oldest: "issues.created_at ASC, issues.id ASC",
  recentupdate: "issues.updated_at DESC, issues.created_at DESC, issues.id DESC",
  leastupdate: "issues.updated_at ASC, issues.created_at ASC, issues.id ASC",
  recentclose: "issues.closed_at DESC, issues.created_at DESC, issues.id DESC",
  mostcomment: "issues.comments DESC, issues.created_at DESC, issues.id DESC",
  leastcomment: "issues.comments ASC, issues.created_at DESC, issues.id DESC",
  priority: "issues.priority DESC, issues.created_at DESC, issues.id DESC",
  nearduedate: `${due} IS NULL, ${due} ASC, issues.created_at DESC, issues.id DESC`,
  farduedate: `${due} IS NULL, ${due} DESC, issues.created_at DESC, issues.id DESC`,
};
const NEWEST = "issues.created_at DESC, issues.id DESC";

/** A page of the pull requests of a repository, as item ids. */
export function listPulls(
  db: Database,
  repoId: number,
  filter: ListedPulls,
  { limit, offset }: Paging,
): { ids: number[]; total: number } {
  const conditions = ["issues.repo_id = $repoId", "issues.is_pull = 1"];
  const params: Record<string, string | number> = { repoId };
  const joins: string[] = [];
  if (filter.isClosed !== undefined) {
    conditions.push("issues.is_closed = $isClosed");
    params["isClosed"] = filter.isClosed ? 1 : 0;
  }
  if (filter.posterId !== undefined) {
    conditions.push("issues.poster_id = $posterId");
    params["posterId"] = filter.posterId;
  }
  if (filter.milestoneId > 0) {
    conditions.push("issues.milestone_id = $milestoneId");
    params["milestoneId"] = filter.milestoneId;
  }
  if (filter.labels.length > 0) {
    conditions.push(
      "issues.id IN (SELECT issue_id FROM issue_labels WHERE label_id IN (SELECT value FROM json_each($labels)))",
    );
    params["labels"] = JSON.stringify(filter.labels);
  }
  if (filter.baseBranch !== "") {
    joins.push("JOIN pulls ON pulls.issue_id = issues.id AND pulls.base_branch = $baseBranch");
    params["baseBranch"] = filter.baseBranch;
  }
  const order = Object.hasOwn(orders, filter.sort) ? (orders[filter.sort] ?? NEWEST) : NEWEST;
  if (filter.sort.endsWith("duedate")) joins.push("LEFT JOIN milestones ON milestones.id = issues.milestone_id");
  const from = `FROM issues ${joins.join(" ")} WHERE ${conditions.join(" AND ")}`;
  const isPlain = conditions.length === (filter.isClosed === undefined ? 2 : 3) && filter.baseBranch === "";
  const total = isPlain ? countPulls(db, repoId, filter.isClosed) : countRows(db, from, params);
  const rows = db
    .query<{ id: number }>(`SELECT issues.id AS id ${from} ORDER BY ${order} LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { ids: rows.map(({ id }) => id), total };
}

function countRows(db: Database, from: string, params: Record<string, string | number>): number {
  return db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(params)?.n ?? 0;
}

/** Read from stored counts. */
function countPulls(db: Database, repoId: number, isClosed: boolean | undefined): number {
  const sql = "SELECT open_items AS open, closed_items AS closed FROM issue_counts WHERE repo_id = ? AND is_pull = 1";
  const { open, closed } = db.query<{ open: number; closed: number }>(sql).get(repoId) ?? { open: 0, closed: 0 };
  return isClosed === undefined ? open + closed : isClosed ? closed : open;
}

/** The pinned ones, in pin order. */
export function pinnedPulls(db: Database, repoId: number): number[] {
  const sql = "SELECT id FROM issues WHERE repo_id = ? AND is_pull = 1 AND pin_order > 0 ORDER BY pin_order";
  return db
    .query<{ id: number }>(sql)
    .all(repoId)
    .map(({ id }) => id);
}
