import type { Database } from "../../db/database.ts";
import { type BranchRule, defaultRuleSettings, type RuleList, type RuleMembers, type RuleSettings } from "./types.ts";

interface Row {
  readonly id: number;
  readonly repoId: number;
  readonly name: string;
  readonly priority: number;
  readonly settings: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface MemberRow {
  readonly id: number;
  readonly list: RuleList;
  readonly member: number;
}

/** All rules of a repository, in no order. */
export function rulesOf(db: Database, repoId: number): BranchRule[] {
  const rows = db
    .query<Row>(
      `SELECT id, repo_id AS repoId, name, priority, settings, created_at AS createdAt, updated_at AS updatedAt
       FROM branch_protections WHERE repo_id = ?`,
    )
    .all(repoId);
  if (rows.length === 0) return [];
  const users = membersOf(db, "user", repoId);
  const teams = membersOf(db, "team", repoId);
  return rows.map((row) => ({
    ...row,
    settings: { ...defaultRuleSettings, ...(JSON.parse(row.settings) as Partial<RuleSettings>) },
    users: users.get(row.id) ?? {},
    teams: teams.get(row.id) ?? {},
  }));
}

function membersOf(db: Database, kind: "user" | "team", repoId: number): Map<number, RuleMembers> {
  const rows = db
    .query<MemberRow>(
      `SELECT protection_id AS id, list, ${kind}_id AS member FROM branch_protection_${kind}s
       WHERE protection_id IN (SELECT id FROM branch_protections WHERE repo_id = ?) ORDER BY ${kind}_id`,
    )
    .all(repoId);
  const members = new Map<number, Partial<Record<RuleList, number[]>>>();
  for (const { id, list, member } of rows) {
    const ofRule = members.get(id) ?? {};
    ofRule[list] = [...(ofRule[list] ?? []), member];
    members.set(id, ofRule);
  }
  return members;
}

export function countRules(db: Database, repoId: number): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM branch_protections WHERE repo_id = ?").get(repoId)?.n ?? 0;
}

export type NewRule = Omit<BranchRule, "id" | "priority"> & { readonly priority: number | undefined };

/** @returns its id; without a priority it comes last */
export function insertRule(db: Database, rule: NewRule): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO branch_protections (repo_id, name, priority, settings, created_at, updated_at)
       VALUES ($repo, $name,
         coalesce($priority, (SELECT coalesce(max(priority), 0) + 1 FROM branch_protections WHERE repo_id = $repo)),
         $settings, $created, $updated) RETURNING id`,
    )
    .get({
      repo: rule.repoId,
      name: rule.name,
      priority: rule.priority ?? null,
      settings: settingsText(rule.settings),
      created: rule.createdAt,
      updated: rule.updatedAt,
    });
  if (!row) throw new Error("the rule was not stored");
  putMembers(db, row.id, rule);
  return row.id;
}

export function updateRule(db: Database, rule: BranchRule): void {
  db.query(
    `UPDATE branch_protections SET name = $name, priority = $priority, settings = $settings, updated_at = $updated
     WHERE id = $id`,
  ).run({
    id: rule.id,
    name: rule.name,
    priority: rule.priority,
    settings: settingsText(rule.settings),
    updated: rule.updatedAt,
  });
  for (const kind of ["user", "team"])
    db.query(`DELETE FROM branch_protection_${kind}s WHERE protection_id = ?`).run(rule.id);
  putMembers(db, rule.id, rule);
}

function putMembers(db: Database, id: number, { users, teams }: Pick<BranchRule, "users" | "teams">): void {
  const put = (kind: "user" | "team", members: RuleMembers) => {
    const insert = db.query(
      `INSERT OR IGNORE INTO branch_protection_${kind}s (protection_id, list, ${kind}_id) VALUES (?, ?, ?)`,
    );
    for (const [list, ids] of Object.entries(members)) for (const member of ids) insert.run(id, list, member);
  };
  put("user", users);
  put("team", teams);
}

/** Only the differences from the defaults, so that defaults can change. */
function settingsText(settings: RuleSettings): string {
  const entries = Object.entries(settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultRuleSettings[name as keyof RuleSettings]),
  );
  return JSON.stringify(Object.fromEntries(entries));
}

export function deleteRule(db: Database, id: number): void {
  db.query("DELETE FROM branch_protections WHERE id = ?").run(id);
}

/** Ignores rules of other repositories. */
export function setPriority(db: Database, repoId: number, id: number, priority: number): void {
  db.query("UPDATE branch_protections SET priority = ? WHERE id = ? AND repo_id = ?").run(priority, id, repoId);
}

export function removeMember(db: Database, repoId: number, kind: "user" | "team", member: number): void {
  db.query(
    `DELETE FROM branch_protection_${kind}s
     WHERE ${kind}_id = ? AND protection_id IN (SELECT id FROM branch_protections WHERE repo_id = ?)`,
  ).run(member, repoId);
}

export function removeTeams(db: Database, repoId: number): void {
  db.query(
    `DELETE FROM branch_protection_teams
     WHERE protection_id IN (SELECT id FROM branch_protections WHERE repo_id = ?)`,
  ).run(repoId);
}
