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

/** A new one, or other limits of one that is there. */
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

/** Those of these names with their rules, by name; names without a group are left out. */
export function groupsNamed(db: Database, names: readonly string[]): QuotaGroup[] {
  return groupsWhere(db, "quota_groups.name IN (SELECT value FROM json_each(?))", JSON.stringify(names));
}

/** All, by name. */
export function allGroups(db: Database): QuotaGroup[] {
  return groupsWhere(db, "?", 1);
}

/** Those that an account is in, by name. */
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

/** @returns whether it was there */
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

/** @returns whether it was there */
export function removeMember(db: Database, group: string, userId: number): boolean {
  const sql = `DELETE FROM quota_group_members WHERE group_id = (SELECT id FROM quota_groups WHERE name = ?)
    AND user_id = ?`;
  return db.query(sql).run(group, userId).changes > 0;
}

export function removeFromGroups(db: Database, userId: number): void {
  db.query("DELETE FROM quota_group_members WHERE user_id = ?").run(userId);
}

/** The accounts of a group, in the order they were made. */
export function membersOf(db: Database, group: string, page: Paging): { ids: number[]; total: number } {
  const from = `FROM quota_group_members JOIN quota_groups ON quota_groups.id = quota_group_members.group_id
    WHERE quota_groups.name = $group`;
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get({ group })?.n ?? 0;
  const rows = db
    .query<{ id: number }>(`SELECT user_id AS id ${from} ORDER BY user_id LIMIT $limit OFFSET $offset`)
    .all({ group, limit: page.limit, offset: page.offset });
  return { ids: rows.map(({ id }) => id), total };
}
