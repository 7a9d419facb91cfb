import type { Database } from "../db/database.ts";
import type { Paging } from "../kernel/paging.ts";
import type { Subject, Usage } from "./subjects.ts";
import type { QuotaGroup, QuotaRule } from "./types.ts";

interface RuleRow {
  readonly name: string;
  readonly limitBytes: number;
  readonly subjects: string;
}

const ruleColumns = "quota_rules.name, quota_rules.limit_bytes AS limitBytes, quota_rules.subjects";
// Only known subjects are ever written.
const ruleOf = ({ name, limitBytes, subjects }: RuleRow): QuotaRule => ({
  name,
  limitBytes,
  subjects: JSON.parse(subjects) as Subject[],
});

export function usageOf(db: Database, userId: number): Usage | undefined {
  const sql = `SELECT public_repos AS publicRepos, private_repos AS privateRepos, lfs, wiki,
    issue_attachments AS issueAttachments, release_attachments AS releaseAttachments, artifacts, packages
    FROM account_usage WHERE user_id = ?`;
  return db.query<Usage>(sql).get(userId) ?? undefined;
}

export function findRule(db: Database, name: string): QuotaRule | undefined {
  const row = db.query<RuleRow>(`SELECT ${ruleColumns} FROM quota_rules WHERE name = ?`).get(name);
  return row ? ruleOf(row) : undefined;
}

/** By name. */
export function allRules(db: Database): QuotaRule[] {
  return db.query<RuleRow>(`SELECT ${ruleColumns} FROM quota_rules ORDER BY name`).all().map(ruleOf);
}

/** Creates a rule, or changes an existing one. */
export function putRule(db: Database, { name, limitBytes, subjects }: QuotaRule, now: number): void {
  db.query(
    `INSERT INTO quota_rules (name, limit_bytes, subjects, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET limit_bytes = excluded.limit_bytes, subjects = excluded.subjects`,
  ).run(name, limitBytes, JSON.stringify(subjects), now);
}

export function deleteRule(db: Database, name: string): boolean {
  return db.query("DELETE FROM quota_rules WHERE name = ?").run(name).changes > 0;
}

export function hasGroup(db: Database, name: string): boolean {
  return db.query("SELECT 1 FROM quota_groups WHERE name = ?").get(name) !== null;
}

/** The groups with these names, with their rules, by name; missing ones are left out. */
export function groupsNamed(db: Database, names: readonly string[]): QuotaGroup[] {
  return groupsWhere(db, "quota_groups.name IN (SELECT value FROM json_each(?))", JSON.stringify(names));
}

/** All, by name. */
export function allGroups(db: Database): QuotaGroup[] {
  return groupsWhere(db, "?", 1);
}

/** The groups of an account, by name. */
export function groupsOf(db: Database, userId: number): QuotaGroup[] {
  return groupsWhere(db, "quota_groups.id IN (SELECT group_id FROM quota_group_members WHERE user_id = ?)", userId);
}

function groupsWhere(db: Database, condition: string, value: string | number): QuotaGroup[] {
  const rows = db
    .query<{ groupName: string } & { [Column in keyof RuleRow]: RuleRow[Column] | null }>(
      `SELECT quota_groups.name AS groupName, ${ruleColumns} FROM quota_groups
       LEFT JOIN quota_group_rules ON quota_group_rules.group_id = quota_groups.id
       LEFT JOIN quota_rules ON quota_rules.id = quota_group_rules.rule_id
       WHERE ${condition} ORDER BY quota_groups.name, quota_rules.name`,
    )
    .all(value);
  return [...Map.groupBy(rows, ({ groupName }) => groupName)].map(([name, ofGroup]) => ({
    name,
    rules: ofGroup.flatMap((row) =>
      row.name === null || row.limitBytes === null || row.subjects === null
        ? []
        : [ruleOf({ name: row.name, limitBytes: row.limitBytes, subjects: row.subjects })],
    ),
  }));
}

export function insertGroup(db: Database, name: string, now: number): void {
  db.query("INSERT INTO quota_groups (name, created_at) VALUES (?, ?)").run(name, now);
}

export function deleteGroup(db: Database, name: string): boolean {
  return db.query("DELETE FROM quota_groups WHERE name = ?").run(name).changes > 0;
}

/** @returns whether that is new */
export function addGroupRule(db: Database, group: string, rule: string): boolean {
  const sql = `INSERT OR IGNORE INTO quota_group_rules (group_id, rule_id)
    SELECT quota_groups.id, quota_rules.id FROM quota_groups, quota_rules
    WHERE quota_groups.name = ? AND quota_rules.name = ?`;
  return db.query(sql).run(group, rule).changes > 0;
}

/** @returns whether it existed */
export function removeGroupRule(db: Database, group: string, rule: string): boolean {
  const sql = `DELETE FROM quota_group_rules WHERE group_id = (SELECT id FROM quota_groups WHERE name = ?)
    AND rule_id = (SELECT id FROM quota_rules WHERE name = ?)`;
  return db.query(sql).run(group, rule).changes > 0;
}

/** @returns whether that is new */
export function addMember(db: Database, group: string, userId: number): boolean {
  const sql = `INSERT OR IGNORE INTO quota_group_members (group_id, user_id)
    SELECT id, ? FROM quota_groups WHERE name = ?`;
  return db.query(sql).run(userId, group).changes > 0;
}

/** @returns whether it existed */
export function removeMember(db: Database, group: string, userId: number): boolean {
  const sql = `DELETE FROM quota_group_members WHERE group_id = (SELECT id FROM quota_groups WHERE name = ?)
    AND user_id = ?`;
  return db.query(sql).run(group, userId).changes > 0;
}

export function removeFromGroups(db: Database, userId: number): void {
  db.query("DELETE FROM quota_group_members WHERE user_id = ?").run(userId);
}

/** The accounts in a group, oldest first. */
export function membersOf(db: Database, group: string, page: Paging): { ids: number[]; total: number } {
  const from = `FROM quota_group_members JOIN quota_groups ON quota_groups.id = quota_group_members.group_id
    WHERE quota_groups.name = $group`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get({ group })?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT user_id AS id ${from} ORDER BY user_id LIMIT $limit OFFSET $offset`)
    .all({ group, limit: page.limit, offset: page.offset });
  return { ids: rows.map(({ id }) => id), total };
}

/** Recounts the usage of repositories after `afterId`. @returns the last one's id; undefined: there are none */
export function recountRepositories(db: Database, afterId: number, limit: number): number | undefined {
  const last = db
    .query<{ id: number | null }>(
      "SELECT max(id) AS id FROM (SELECT id FROM repositories WHERE id > ? ORDER BY id LIMIT ?)",
    )
    .get(afterId, limit)?.id;
  if (last === null || last === undefined) return undefined;
  db.query(
    `UPDATE repository_usage SET (lfs, wiki, issue_attachments, release_attachments, artifacts) =
       (counted.lfs, counted.wiki, counted.issues, counted.releases, counted.artifacts)
     FROM (SELECT repositories.id AS id,
         (SELECT coalesce(sum(size_bytes), 0) FROM lfs_objects WHERE repo_id = repositories.id) AS lfs,
         (SELECT coalesce(sum(size_bytes), 0) FROM git_folders WHERE repo_id = repositories.id AND kind = 'wiki') AS wiki,
         (SELECT coalesce(sum(size_bytes), 0) FROM attachments WHERE repo_id = repositories.id) AS issues,
         (SELECT coalesce(sum(release_assets.size_bytes), 0) FROM releases
            JOIN release_assets ON release_assets.release_id = releases.id
            WHERE releases.repo_id = repositories.id) AS releases,
         (SELECT coalesce(sum(stored_bytes), 0) FROM actions_artifacts WHERE repo_id = repositories.id) AS artifacts
       FROM repositories WHERE repositories.id > $after AND repositories.id <= $last) AS counted
     WHERE repository_usage.repo_id = counted.id AND (repository_usage.lfs <> counted.lfs OR repository_usage.wiki <> counted.wiki
       OR repository_usage.issue_attachments <> counted.issues
       OR repository_usage.release_attachments <> counted.releases
       OR repository_usage.artifacts <> counted.artifacts)`,
  ).run({ after: afterId, last });
  return last;
}

/**
 * Recounts the totals of accounts after `afterId` from their repositories and packages. @returns as above, and how
 * many were wrong
 */
export function recountAccounts(
  db: Database,
  afterId: number,
  limit: number,
): { readonly last: number; readonly wrong: number } | undefined {
  const last = db
    .query<{ id: number | null }>(
      "SELECT max(user_id) AS id FROM (SELECT user_id FROM account_usage WHERE user_id > ? ORDER BY user_id LIMIT ?)",
    )
    .get(afterId, limit)?.id;
  if (last === null || last === undefined) return undefined;
  const columns = "public_repos, private_repos, lfs, wiki, issue_attachments, release_attachments, artifacts, packages";
  const { changes } = db
    .query(
      `UPDATE account_usage SET (${columns}) = (${columns
        .split(", ")
        .map((column) => `summed.${column}`)
        .join(", ")})
       FROM (SELECT users.id AS id,
           coalesce(sum(size_bytes * (1 - is_private)), 0) AS public_repos,
           coalesce(sum(size_bytes * is_private), 0) AS private_repos,
           coalesce(sum(repository_usage.lfs), 0) AS lfs, coalesce(sum(repository_usage.wiki), 0) AS wiki,
           coalesce(sum(repository_usage.issue_attachments), 0) AS issue_attachments,
           coalesce(sum(repository_usage.release_attachments), 0) AS release_attachments,
           coalesce(sum(repository_usage.artifacts), 0) AS artifacts,
           (SELECT coalesce(sum(counted_bytes), 0) FROM package_files WHERE owner_id = users.id) AS packages
         FROM users
           LEFT JOIN repositories ON repositories.owner_id = users.id AND repositories.binned_at IS NULL
           LEFT JOIN repository_usage ON repository_usage.repo_id = repositories.id
         WHERE users.id > $after AND users.id <= $last GROUP BY users.id) AS summed
       WHERE account_usage.user_id = summed.id AND (${columns
         .split(", ")
         .map((column) => `account_usage.${column} <> summed.${column}`)
         .join(" OR ")})`,
    )
    .run({ after: afterId, last });
  return { last, wrong: changes };
}
