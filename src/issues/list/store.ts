import type { Database } from "../../db/database.ts";
import type { Paging } from "../../kernel/paging.ts";
import { narrowed, none, type OrderPlan, plans, type Stretch, some } from "./orders-store.ts";
import { type ItemViewer, isOf, ownedBy, seesItem, subscriptionsOf } from "./repositories-store.ts";
import { scopeLabels, scopeStretches } from "./scope-store.ts";
import type { ItemFilter } from "./types.ts";

/**
 * Lists of items as SQL. There are two strategies: walk the index of the order and check the filters for each item,
 * stopping when the page is full; or, if a filter is known to match few items, look those up and sort them. The kinds
 * and states of a list are arms of one query, each walking a separate stretch of the index.
 */

/** Where to look for items. */
export type ItemScope = { readonly repoId: number; readonly issues: boolean; readonly pulls: boolean } | ItemViewer;

/** SQL for the ids of a few items that include all matches. */
export interface Candidates {
  readonly sql: string;
  /** Set if matches in older texts are missing: how many of the newest texts were examined. */
  readonly cutAt?: number;
}

export type Params = Record<string, number | string | null>;

export interface ListQuery {
  readonly scope: ItemScope;
  readonly filter: ItemFilter;
  /** Other areas' conditions on `issues`, with their parameters. */
  readonly extra: readonly string[];
  readonly params: Params;
  /** Undefined: walk the index. */
  readonly candidates: Candidates | undefined;
}

function stretchesOf(db: Database, query: ListQuery): Stretch[] {
  const { filter, scope } = query;
  if (filter.scope !== undefined) return scopeStretches(query, scopeLabels(db, scope, filter.scope));
  const plan = plans[filter.order ?? "latest"];
  return (plan.stretches ?? ["1"]).map((where) => ({ query: narrowed(query, [where]), plan }));
}

/** Ids of one page. */
export function listItems(
  db: Database,
  query: ListQuery,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): number[] {
  const found: number[] = [];
  let skipped = offset;
  for (const stretch of stretchesOf(db, query)) {
    const ids = listStretch(db, stretch, { limit: limit - found.length, offset: skipped });
    found.push(...ids);
    if (found.length === limit) break;
    skipped = ids.length > 0 || skipped === 0 ? 0 : skipped - countItems(db, stretch.query, skipped, stretch.plan);
  }
  return found;
}

function listStretch(
  db: Database,
  { plan, query }: Stretch,
  { limit, offset }: Pick<Paging, "limit" | "offset">,
): number[] {
  const arms = armsOf(query).map(
    (arm) => `SELECT issues.id AS id, ${plan.key} AS key ${fromOf(query, plan)} WHERE ${whereOf(query, arm)}`,
  );
  if (arms.length === 0) return [];
  const sql = `${arms.join("\nUNION ALL ")}
    ORDER BY key ${plan.direction}, id ${plan.direction} LIMIT $limit OFFSET $offset`;
  const params = { ...paramsOf(query), limit, offset };
  return db
    .query<{ id: number }>(sql)
    .all(params)
    .map(({ id }) => id);
}

/** The number of matches, at most `max`. @param plan whose index is walked */
export function countItems(db: Database, query: ListQuery, max: number, plan?: OrderPlan): number {
  const arms = armsOf(query).map((arm) => `SELECT 1 ${fromOf(query, plan)} WHERE ${whereOf(query, arm)}`);
  if (arms.length === 0) return 0;
  const sql = `SELECT count(*) AS n FROM (${arms.join("\nUNION ALL ")} LIMIT $max)`;
  return db.query<{ n: number }>(sql).get({ ...paramsOf(query), max })?.n ?? 0;
}

export interface ItemCounters {
  readonly open: number;
  readonly closed: number;
}

const nothing: ItemCounters = { open: 0, closed: 0 };

/** Counts in a repository, from the stored counters. */
export function countersOf(
  db: Database,
  repoId: number,
): { readonly issues: ItemCounters; readonly pulls: ItemCounters } {
  const sql =
    "SELECT is_pull AS isPull, open_items AS open, closed_items AS closed FROM issue_counts WHERE repo_id = ?";
  const rows = db.query<ItemCounters & { isPull: number }>(sql).all(repoId);
  return { issues: rows.find(({ isPull }) => !isPull) ?? nothing, pulls: rows.find(({ isPull }) => isPull) ?? nothing };
}

/** The same across everything the viewer may read. */
export function countersEverywhere(db: Database, viewer: ItemViewer, isPull: boolean): ItemCounters {
  const sql = `SELECT total(issue_counts.open_items) AS open, total(issue_counts.closed_items) AS closed FROM issue_counts
      CROSS JOIN repositories ON repositories.id = issue_counts.repo_id
      CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE issue_counts.is_pull = $isPull AND ${isPull ? viewer.seesPulls : viewer.seesIssues}`;
  return db.query<ItemCounters>(sql).get({ ...viewer.params, isPull: isPull ? 1 : 0 }) ?? nothing;
}

/** One part of the query: a stretch of an index for one kind and state; for looked-up items, everything. */
interface Arm {
  readonly isPull: readonly (0 | 1)[];
  readonly isClosed: readonly (0 | 1)[];
}

const both = [0, 1] as const;

function armsOf({ candidates, filter, scope }: ListQuery): Arm[] {
  const isAllowed = (isPull: 0 | 1) =>
    (filter.isPull === undefined || filter.isPull === (isPull === 1)) &&
    (!("repoId" in scope) || (isPull === 1 ? scope.pulls : scope.issues));
  const isPull = both.filter(isAllowed);
  const isClosed = filter.state === "all" ? both : ([filter.state === "closed" ? 1 : 0] as const);
  if (candidates) return isPull.length > 0 ? [{ isPull, isClosed }] : [];
  return isPull.flatMap((kind) => isClosed.map((state) => ({ isPull: [kind], isClosed: [state] })));
}

function fromOf({ candidates, filter, scope }: ListQuery, plan: OrderPlan | undefined): string {
  const repositories = `CROSS JOIN repositories ON repositories.id = issues.repo_id
    CROSS JOIN users AS owners ON owners.id = repositories.owner_id`;
  const around = "repoId" in scope ? "" : repositories;
  if (candidates)
    return `FROM (${candidates.sql}) AS candidates CROSS JOIN issues ON issues.id = candidates.id ${around}`;
  if (plan?.from) return `FROM ${plan.from} ${around}`;
  return `FROM issues ${indexFor(filter, scope, plan)} ${around}`;
}

/**
 * A filter whose index also provides the order wins. Every walked index is named; SQLite chooses only where none is
 * walked.
 */
function indexFor(filter: ItemFilter, scope: ItemScope, plan: OrderPlan | undefined): string {
  const isByCreation = plan === undefined || plan.key === plans.latest.key;
  if (filter.posterId !== undefined && isByCreation)
    return `INDEXED BY ${"repoId" in scope ? "issues_by_poster_in_repo" : "issues_by_poster"}`;
  const index =
    "repoId" in scope ? (plan?.inRepo ?? plans.latest.inRepo) : (plan?.everywhere ?? plans.latest.everywhere);
  return `INDEXED BY ${index}`;
}

const isOneOf = (column: string, values: readonly number[]) =>
  values.length === 1 ? `${column} = ${values[0]}` : `${column} IN (${values.join(", ")})`;

function whereOf({ extra, filter, scope }: ListQuery, { isPull, isClosed }: Arm): string {
  const where = [isOneOf("issues.is_pull", isPull), isOneOf("issues.is_closed", isClosed)];
  if ("repoId" in scope) where.push("issues.repo_id = $repo");
  else if (isPull.length > 1) where.push(seesItem(scope));
  else where.push(isPull[0] === 1 ? scope.seesPulls : scope.seesIssues);
  const has = (value: unknown, sql: string) => {
    if (value !== undefined) where.push(sql);
  };
  has(filter.ownerId, isOf(ownedBy("$owner")));
  has(filter.posterId, "issues.poster_id = $poster");
  const assigned = "issue_assignees WHERE issue_assignees.issue_id = issues.id";
  if (filter.assignee === "none") where.push(none(assigned));
  else if (filter.assignee === "any") where.push(some(assigned));
  else has(filter.assignee, some(`${assigned} AND issue_assignees.user_id = $assignee`));
  has(
    filter.mentionedId,
    some("issue_mentions WHERE issue_mentions.issue_id = issues.id AND issue_mentions.user_id = $mentioned"),
  );
  has(filter.subscriberId, `issues.id IN (${subscriptionsOf("$subscriber")})`);
  const labelled = "issue_labels WHERE issue_labels.issue_id = issues.id";
  for (const at of (filter.labels ?? []).keys())
    where.push(some(`${labelled} AND issue_labels.label_id IN (SELECT value FROM json_each($labels${at}))`));
  has(
    filter.withoutLabels,
    none(`${labelled} AND issue_labels.label_id IN (SELECT value FROM json_each($withoutLabels))`),
  );
  has(filter.hasNoLabel, filter.hasNoLabel ? none(labelled) : some(labelled));
  has(
    filter.labelNames,
    some(`issue_labels CROSS JOIN labels ON labels.id = issue_labels.label_id
      WHERE issue_labels.issue_id = issues.id AND labels.name IN (SELECT value FROM json_each($labelNames))`),
  );
  if (filter.milestoneIds?.length === 1) where.push("issues.milestone_id = $milestone");
  else has(filter.milestoneIds, "issues.milestone_id IN (SELECT value FROM json_each($milestones))");
  has(filter.hasNoMilestone, `issues.milestone_id IS ${filter.hasNoMilestone ? "" : "NOT "}NULL`);
  has(
    filter.milestoneTitles,
    some(`milestones WHERE milestones.id = issues.milestone_id
      AND milestones.lower_title IN (SELECT value FROM json_each($milestoneTitles))`),
  );
  has(filter.since, "issues.updated_at >= $since");
  has(filter.before, "issues.updated_at <= $before");
  has(filter.createdSince, "issues.created_at >= $createdSince");
  has(filter.createdBefore, "issues.created_at <= $createdBefore");
  has(filter.closedSince, "issues.closed_at >= $closedSince");
  has(filter.closedBefore, "issues.closed_at <= $closedBefore");
  if (filter.isLocked !== undefined) where.push(`issues.is_locked = ${filter.isLocked ? 1 : 0}`);
  has(filter.isOverdue, `issues.next_due_at ${filter.isOverdue ? "<" : ">="} $now`);
  has(filter.minComments, "issues.comments >= $minComments");
  has(filter.maxComments, "issues.comments <= $maxComments");
  return [...where, ...extra].join(" AND ");
}

/** Values of all conditions; those the SQL does not name are left out, since SQLite rejects them. */
function paramsOf({ filter, params, scope }: ListQuery): Params {
  const all: Params = {
    ...("repoId" in scope ? { repo: scope.repoId } : scope.params),
    ...params,
  };
  const set = (name: string, value: number | string | undefined) => {
    if (value !== undefined) all[name] = value;
  };
  set("owner", filter.ownerId);
  set("around", filter.aroundId);
  set("poster", filter.posterId);
  if (typeof filter.assignee === "number") set("assignee", filter.assignee);
  set("mentioned", filter.mentionedId);
  set("subscriber", filter.subscriberId);
  filter.labels?.forEach((ids, at) => {
    set(`labels${at}`, JSON.stringify(ids));
  });
  if (filter.withoutLabels) set("withoutLabels", JSON.stringify(filter.withoutLabels));
  if (filter.labelNames) set("labelNames", JSON.stringify(filter.labelNames));
  if (filter.milestoneIds?.length === 1) set("milestone", filter.milestoneIds[0]);
  else if (filter.milestoneIds) set("milestones", JSON.stringify(filter.milestoneIds));
  if (filter.milestoneTitles) set("milestoneTitles", JSON.stringify(filter.milestoneTitles));
  // The API shows whole seconds: a time taken from it must include the item it was shown for.
  set("since", filter.since === undefined ? undefined : Math.floor(filter.since / 1000) * 1000);
  set("before", filter.before === undefined ? undefined : Math.floor(filter.before / 1000) * 1000 + 999);
  set("createdSince", filter.createdSince);
  set("createdBefore", filter.createdBefore);
  set("closedSince", filter.closedSince);
  set("closedBefore", filter.closedBefore);
  set("minComments", filter.minComments);
  set("maxComments", filter.maxComments);
  return all;
}

/** Which of these names belong to labels in repositories where the viewer may read items. */
export function visibleLabelNames(db: Database, names: readonly string[], viewer: ItemViewer): string[] {
  const sql = `SELECT asked.value AS name FROM json_each($names) AS asked WHERE ${some(`labels
      CROSS JOIN repositories ON repositories.id = labels.repo_id OR repositories.owner_id = labels.owner_id
      CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE labels.name = asked.value AND (${viewer.seesIssues} OR ${viewer.seesPulls})`)}`;
  return db
    .query<{ name: string }>(sql)
    .all({ ...viewer.params, names: JSON.stringify(names) })
    .map(({ name }) => name);
}

/** The same for milestone titles, case-folded. */
export function visibleMilestoneTitles(db: Database, titles: readonly string[], viewer: ItemViewer): string[] {
  const sql = `SELECT asked.value AS title FROM json_each($titles) AS asked WHERE ${some(`milestones
      CROSS JOIN repositories ON repositories.id = milestones.repo_id
      CROSS JOIN users AS owners ON owners.id = repositories.owner_id
    WHERE milestones.lower_title = asked.value AND (${viewer.seesIssues} OR ${viewer.seesPulls})`)}`;
  return db
    .query<{ title: string }>(sql)
    .all({ ...viewer.params, titles: JSON.stringify(titles) })
    .map(({ title }) => title);
}
