import type { Database } from "../../db/database.ts";
import type { TagRule } from "./types.ts";

interface Row {
  readonly id: number;
  readonly repoId: number;
  readonly pattern: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** All rules of a repository, oldest first. */
export function rulesOf(db: Database, repoId: number): TagRule[] {
  const rows = db
    .query<Row>(
      `SELECT id, repo_id AS repoId, pattern, created_at AS createdAt, updated_at AS updatedAt
       FROM tag_protections WHERE repo_id = ? ORDER BY id`,
    )
    .all(repoId);
  if (rows.length === 0) return [];
  const [users, teams] = [membersOf(db, "user", repoId), membersOf(db, "team", repoId)];
  return rows.map((row) => ({ ...row, users: users.get(row.id) ?? [], teams: teams.get(row.id) ?? [] }));
}

function membersOf(db: Database, kind: "user" | "team", repoId: number): Map<number, number[]> {
  const rows = db
    .query<{ id: number; member: number }>(
      `SELECT protection_id AS id, ${kind}_id AS member FROM tag_protection_${kind}s
       WHERE protection_id IN (SELECT id FROM tag_protections WHERE repo_id = ?) ORDER BY ${kind}_id`,
    )
    .all(repoId);
  const members = new Map<number, number[]>();
  for (const { id, member } of rows) members.set(id, [...(members.get(id) ?? []), member]);
  return members;
}

/** @returns its id */
export function insertRule(db: Database, rule: Omit<TagRule, "id">): number {
  const row = db
    .query<{ id: number }>(
      "INSERT INTO tag_protections (repo_id, pattern, created_at, updated_at) VALUES (?, ?, ?, ?) RETURNING id",
    )
    .get(rule.repoId, rule.pattern, rule.createdAt, rule.updatedAt);
  if (!row) throw new Error("the rule was not stored");
  putMembers(db, row.id, rule);
  return row.id;
}

export function updateRule(db: Database, rule: TagRule): void {
  db.query("UPDATE tag_protections SET pattern = ?, updated_at = ? WHERE id = ?").run(
    rule.pattern,
    rule.updatedAt,
    rule.id,
  );
  for (const kind of ["user", "team"])
    db.query(`DELETE FROM tag_protection_${kind}s WHERE protection_id = ?`).run(rule.id);
  putMembers(db, rule.id, rule);
}

function putMembers(db: Database, id: number, { users, teams }: Pick<TagRule, "users" | "teams">): void {
  const put = (kind: "user" | "team", members: readonly number[]) => {
    const insert = db.query(`INSERT OR IGNORE INTO tag_protection_${kind}s (protection_id, ${kind}_id) VALUES (?, ?)`);
    for (const member of members) insert.run(id, member);
  };
  put("user", users);
  put("team", teams);
}

export function deleteRule(db: Database, id: number): void {
  db.query("DELETE FROM tag_protections WHERE id = ?").run(id);
}

export function removeMember(db: Database, repoId: number, kind: "user" | "team", member: number): void {
  db.query(
    `DELETE FROM tag_protection_${kind}s
     WHERE ${kind}_id = ? AND protection_id IN (SELECT id FROM tag_protections WHERE repo_id = ?)`,
  ).run(member, repoId);
}

export function removeTeams(db: Database, repoId: number): void {
  db.query(
    `DELETE FROM tag_protection_teams
     WHERE protection_id IN (SELECT id FROM tag_protections WHERE repo_id = ?)`,
  ).run(repoId);
}
