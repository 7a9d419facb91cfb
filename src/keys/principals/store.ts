import type { Database } from "../../db/database.ts";
import type { SshPrincipal } from "../types.ts";

interface Row {
  id: number;
  user_id: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

const columns = "id, user_id, name, created_at, last_used_at";

const toPrincipal = (row: Row): SshPrincipal => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
});

export function principalsOf(db: Database, userId: number): SshPrincipal[] {
  return db
    .query<Row>(`SELECT ${columns} FROM ssh_principals WHERE user_id = ? ORDER BY id`)
    .all(userId)
    .map(toPrincipal);
}

export function findPrincipal(db: Database, by: { id: number } | { name: string }): SshPrincipal | undefined {
  const row =
    "id" in by
      ? db.query<Row>(`SELECT ${columns} FROM ssh_principals WHERE id = ?`).get(by.id)
      : db.query<Row>(`SELECT ${columns} FROM ssh_principals WHERE name = ?`).get(by.name);
  return row ? toPrincipal(row) : undefined;
}

export function insertPrincipal(db: Database, userId: number, name: string, createdAt: number): void {
  db.query("INSERT INTO ssh_principals (user_id, name, created_at) VALUES (?, ?, ?)").run(userId, name, createdAt);
}

export function deletePrincipal(db: Database, id: number): void {
  db.query("DELETE FROM ssh_principals WHERE id = ?").run(id);
}

export function markPrincipalUsed(db: Database, id: number, at: number): void {
  db.query("UPDATE ssh_principals SET last_used_at = ? WHERE id = ?").run(at, id);
}
