import type { ItemLists } from "../issues/list/service.ts";
import { DRAFT_PREFIXES } from "./values.ts";

/** The filters for pull requests in item lists (contract issues.md 3.2). */
export function addPullFilters(lists: ItemLists): void {
  const isOthers = (user: string) => `issues.is_pull = 1 AND issues.poster_id IS NOT ${user}`;
  const own = (user: string, row: string) =>
    `(${row}.reviewer_id = ${user} OR ${row}.team_id IN (SELECT team_id FROM team_members WHERE user_id = ${user}))`;
  // A request not followed by anything else from the same reviewer.
  lists.addFilter(
    "reviewRequested",
    (user) => `${isOthers(user)} AND (SELECT 1 FROM reviews WHERE reviews.issue_id = issues.id
      AND reviews.kind = 'request' AND ${own(user, "reviews")} AND NOT EXISTS (SELECT 1 FROM reviews AS later
        WHERE later.issue_id = reviews.issue_id AND later.id > reviews.id AND later.kind IN ('approve', 'reject', 'request')
          AND later.reviewer_id IS reviews.reviewer_id AND later.team_id IS reviews.team_id) LIMIT 1) IS NOT NULL`,
  );
  lists.addFilter(
    "reviewed",
    (user) => `${isOthers(user)} AND ((SELECT 1 FROM reviews WHERE reviews.issue_id = issues.id
        AND reviews.kind IN ('approve', 'reject', 'comment') AND ${own(user, "reviews")} LIMIT 1) IS NOT NULL
      OR (SELECT 1 FROM timeline WHERE timeline.user_id = ${user} AND timeline.issue_id = issues.id
        AND timeline.kind IN ('comment', 'code', 'review') LIMIT 1) IS NOT NULL)`,
  );
  // The parameter is 1.
  lists.addFilter(
    "merged",
    (one) => `(SELECT merged_at FROM pulls WHERE pulls.issue_id = issues.id AND ${one} = 1) IS NOT NULL`,
  );
  const isDraft = DRAFT_PREFIXES.map((prefix) => `substr(upper(issues.title), 1, ${prefix.length}) = '${prefix}'`);
  lists.addFilter("draft", (one) => `issues.is_pull = 1 AND ${one} = 1 AND (${isDraft.join(" OR ")})`);
}
