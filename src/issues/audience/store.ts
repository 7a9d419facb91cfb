import type { Database } from "../../db/database.ts";

/** An account's involvement in an item. */
export interface AudienceRow {
  readonly userId: number;
  readonly isPoster: number;
  readonly isAssigned: number;
  readonly tookPart: number;
  /** Explicit choice to watch it or not; `null`: none. */
  readonly isWatching: number | null;
}

/** Everyone involved in an item at that time (milliseconds since 1970), without watchers of its repository. */
export function audienceOf(db: Database, issueId: number, until: number): AudienceRow[] {
  const sql = `WITH people (id) AS (
      SELECT poster_id FROM issues WHERE id = $issue AND poster_id IS NOT NULL
      UNION SELECT user_id FROM issue_assignees WHERE issue_id = $issue
      UNION SELECT user_id FROM issue_watches WHERE issue_id = $issue
      UNION SELECT user_id FROM timeline
        WHERE issue_id = $issue AND kind IN ('comment', 'code', 'review') AND user_id IS NOT NULL
          AND created_at <= $until)
    SELECT people.id AS userId,
      (SELECT poster_id IS people.id FROM issues WHERE id = $issue) AS isPoster,
      EXISTS (SELECT 1 FROM issue_assignees WHERE issue_id = $issue AND user_id = people.id) AS isAssigned,
      EXISTS (SELECT 1 FROM timeline WHERE user_id = people.id AND issue_id = $issue
        AND kind IN ('comment', 'code', 'review') AND created_at <= $until) AS tookPart,
      (SELECT is_watching FROM issue_watches WHERE issue_id = $issue AND user_id = people.id) AS isWatching
    FROM people`;
  return db.query<AudienceRow>(sql).all({ issue: issueId, until });
}
