import type { AccessParams } from "../../access/conditions.ts";

/** The viewer: conditions on `repositories` with their `owners`, by kind of item. */
export interface ItemViewer {
  readonly seesIssues: string;
  readonly seesPulls: string;
  readonly params: AccessParams;
}

/** A repository with an external tracker has no issues here. */
const NO_EXTERNAL_TRACKER = "(repositories.settings = '{}' OR repositories.settings ->> '$.externalTracker' IS NULL)";

/** An empty repository has no pull requests to read. */
const NOT_EMPTY = "(SELECT is_empty FROM git_folders WHERE git_folders.id = repositories.id) = 0";

/** @param mayRead conditions from src/access on repositories whose issues or pulls unit may be read */
export function itemViewer(mayRead: { issues: string; pulls: string }, params: AccessParams): ItemViewer {
  return {
    seesIssues: `(${NO_EXTERNAL_TRACKER} AND ${mayRead.issues})`,
    seesPulls: `(${NOT_EMPTY} AND ${mayRead.pulls})`,
    params,
  };
}

/** A condition on `issues` of either kind. */
export const seesItem = ({ seesIssues, seesPulls }: ItemViewer) =>
  `CASE issues.is_pull WHEN 1 THEN ${seesPulls} ELSE ${seesIssues} END`;

/** SQL for the ids of an owner's repositories. */
export const ownedBy = (owner: string) => `SELECT id FROM repositories WHERE owner_id = ${owner}`;

/** SQL for the ids of repositories an account owns or was given. @param given SQL for the ids of those it was given */
export const around = (account: string, given: readonly string[]) => [ownedBy(account), ...given].join(" UNION ");

/** A condition on `issues` of these repositories. @param repos SQL for their ids */
export const isOf = (repos: string) => `issues.repo_id IN (${repos})`;

/** SQL for the ids of items an account is subscribed to, apart from those of repositories it watches. */
export const subscriptionsOf = (user: string) => `SELECT id FROM issues WHERE poster_id = ${user}
  UNION SELECT issue_id FROM issue_assignees WHERE user_id = ${user}
  UNION SELECT issue_id FROM timeline WHERE user_id = ${user} AND kind IN ('comment', 'code', 'review')
  UNION SELECT issue_id FROM issue_watches WHERE user_id = ${user} AND is_watching = 1
  EXCEPT SELECT issue_id FROM issue_watches WHERE user_id = ${user} AND is_watching = 0`;
