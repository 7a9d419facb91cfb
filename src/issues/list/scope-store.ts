import type { Database } from "../../db/database.ts";
import { narrowed, none, type OrderPlan, plans, type Stretch } from "./orders-store.ts";
import type { ItemScope, ListQuery } from "./store.ts";

/**
 * Lists sorted by the labels of a scope: items with its first label, then those with its second, those without any
 * last, each newest first. The label index has them in this order, so a page costs only what it shows.
 */

/** Max labels of one scope; later labels sort like none. */
const MAX_LABELS = 100;

/** Labels of the scope in order, those without an order last: of a repository and its owner, or of all repositories. */
export function scopeLabels(db: Database, scope: ItemScope, name: string): number[] {
  const owned = `(labels.repo_id = $repo OR labels.owner_id = (SELECT owner_id FROM repositories WHERE id = $repo))`;
  const sql = `SELECT labels.id FROM labels WHERE ${"repoId" in scope ? owned : "1"} AND labels.is_exclusive = 1
      AND labels.name > $name || '/' AND labels.name < $name || '0' AND instr(substr(labels.name, length($name) + 2), '/') = 0
    ORDER BY labels.exclusive_order = 0, labels.exclusive_order, labels.name, labels.id LIMIT ${MAX_LABELS}`;
  const params: Record<string, string | number> = { name, ...("repoId" in scope ? { repo: scope.repoId } : {}) };
  return db
    .query<{ id: number }>(sql)
    .all(params)
    .map(({ id }) => id);
}

const byLabel: OrderPlan = {
  key: "issue_labels.issue_id",
  direction: "DESC",
  from: "issue_labels INDEXED BY issue_labels_by_label CROSS JOIN issues ON issues.id = issue_labels.issue_id",
};

/** For few items: look them up and sort by their label's rank. */
const byRank: OrderPlan = {
  key: `coalesce((SELECT -min(ranks.key) FROM json_each($ranks) AS ranks CROSS JOIN issue_labels
      ON issue_labels.label_id = ranks.value AND issue_labels.issue_id = issues.id), -${MAX_LABELS})`,
  direction: "DESC",
};

export function scopeStretches(query: ListQuery, labels: readonly number[]): Stretch[] {
  if (labels.length === 0) return [{ query, plan: plans.latest }];
  if (query.candidates) return [{ query: narrowed(query, [], { ranks: JSON.stringify(labels) }), plan: byRank }];
  const without = (ids: readonly number[]) => ({
    where: none(`issue_labels AS others WHERE others.issue_id = issues.id
      AND others.label_id IN (SELECT value FROM json_each($passed))`),
    params: { passed: JSON.stringify(ids) },
  });
  const stretches = labels.map((label, at): Stretch => {
    // An item with two of them, set before they were exclusive, is listed under the first.
    const { params, where } = without(labels.slice(0, at));
    return { query: narrowed(query, ["issue_labels.label_id = $label", where], { ...params, label }), plan: byLabel };
  });
  const rest = without(labels);
  return [...stretches, { query: narrowed(query, [rest.where], rest.params), plan: plans.latest }];
}
