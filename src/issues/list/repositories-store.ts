import type { AccessParams } from "../../access/conditions.ts";

/** Who looks: conditions for `repositories` with their `owners`, by the kind of the item. */
export interface ItemViewer {
  readonly seesIssues: string;
  readonly seesPulls: string;
  readonly params: AccessParams;
}

/** A repository whose issues are kept elsewhere has none here. */
const NO_EXTERNAL_TRACKER = "(repositories.settings = '{}' OR repositories.settings ->> '$.externalTracker' IS NULL)";

/** An empty repository has no pull requests to read. */
const NOT_EMPTY = "(SELECT is_empty FROM git_folders WHERE git_folders.id = repositories.id) = 0";

/** @param mayRead the conditions of src/access for repositories of which a unit may be read */
export function itemViewer(mayRead: { issues: string; pulls: string }, params: AccessParams): ItemViewer {
  return {
    seesIssues: `(${NO_EXTERNAL_TRACKER} AND ${mayRead.issues})`,
    seesPulls: `(${NOT_EMPTY} AND ${mayRead.pulls})`,
    params,
  };
}

/** A condition for `issues` of either kind. */
export const seesItem = ({ seesIssues, seesPulls }: ItemViewer) =>
  `CASE issues.is_pull WHEN 1 THEN ${seesPulls} ELSE ${seesIssues} END`;

/** SQL for the ids of what an owner has. */
export const ownedBy = (owner: string) => `SELECT id FROM repositories WHERE owner_id = ${owner}`;

/** SQL for the ids of what an account owns or was given. @param given SQL for the ids of what it was given */
export const around = (account: string, given: readonly string[]) => [ownedBy(account), ...given].join(" UNION ");

/** A condition for `issues` of these repositories. @param repos SQL for their ids */
export const isOf = (repos: string) => `issues.repo_id IN (${repos})`;

/** SQL for the ids of the items of which an account hears, besides those of repositories that it watches. */
export const subscriptionsOf = (user: string) => `SELECT id FROM issues WHERE poster_id = ${user}
  UNION SELECT issue_id FROM issue_assignees WHERE user_id = ${user}
  UNION SELECT issue_id FROM timeline WHERE user_id = ${user} AND kind IN ('comment', 'code', 'review')
  UNION SELECT issue_id FROM issue_watches WHERE user_id = ${user} AND is_watching = 1
  EXCEPT SELECT issue_id FROM issue_watches WHERE user_id = ${user} AND is_watching = 0`;
