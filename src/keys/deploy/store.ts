import type { Database } from "../../db/database.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { DeployKey } from "../types.ts";

interface Row {
  id: number;
  repo_id: number;
  key_id: number;
  title: string;
  is_read_only: number;
  created_at: number;
  last_used_at: number | null;
  content: string;
  comment: string;
  fingerprint: string;
}

const from = `FROM deploy_keys AS deploy JOIN ssh_keys AS ssh ON ssh.id = deploy.key_id`;
const columns = `deploy.id, deploy.repo_id, deploy.key_id, deploy.title, deploy.is_read_only, deploy.created_at,
  deploy.last_used_at, ssh.content, ssh.comment, ssh.fingerprint`;

const toKey = (row: Row): DeployKey => ({
  id: row.id,
  repoId: row.repo_id,
  keyId: row.key_id,
  title: row.title,
  isReadOnly: row.is_read_only === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  content: row.content,
  comment: row.comment,
  fingerprint: row.fingerprint,
});

export function findDeployKey(db: Database, repoId: number, id: number): DeployKey | undefined {
  const row = db.query<Row>(`SELECT ${columns} ${from} WHERE deploy.id = ? AND deploy.repo_id = ?`).get(id, repoId);
  return row ? toKey(row) : undefined;
}

/** Whether a deploy key with that id exists. */
export function isDeployKey(db: Database, id: number): boolean {
  return db.query("SELECT 1 FROM deploy_keys WHERE id = ?").get(id) !== null;
}

/** A repository's deploy key with that content. */
export function deployKeyByContent(db: Database, repoId: number, content: string): DeployKey | undefined {
  const row = db
    .query<Row>(`SELECT ${columns} ${from} WHERE ssh.content = ? AND deploy.repo_id = ?`)
    .get(content, repoId);
  return row ? toKey(row) : undefined;
}

export function hasDeployTitle(db: Database, repoId: number, title: string): boolean {
  return db.query("SELECT 1 FROM deploy_keys WHERE repo_id = ? AND title = ?").get(repoId, title) !== null;
}

/** Oldest first. */
export function listDeployKeys(
  db: Database,
  repoId: number,
  { keyId, fingerprint }: { readonly keyId?: number | undefined; readonly fingerprint?: string | undefined },
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<DeployKey> {
  let where = "WHERE deploy.repo_id = $repo";
  const params: Record<string, number | string> = { repo: repoId };
  if (keyId !== undefined) {
    where += " AND deploy.key_id = $key";
    params["key"] = keyId;
  }
  if (fingerprint !== undefined) {
    where += " AND ssh.fingerprint = $fingerprint";
    params["fingerprint"] = fingerprint;
  }
  const total = db.query<{ n: number }>(`SELECT count(*) AS n ${from} ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT ${columns} ${from} ${where} ORDER BY deploy.id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset })
    .map(toKey);
  return { items, total };
}

export function insertDeployKey(
  db: Database,
  key: Pick<DeployKey, "repoId" | "keyId" | "title" | "isReadOnly" | "createdAt">,
): number {
  const row = db
    .query<{ id: number }>(
      "INSERT INTO deploy_keys (repo_id, key_id, title, is_read_only, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
    )
    .get(key.repoId, key.keyId, key.title, key.isReadOnly ? 1 : 0, key.createdAt);
  if (!row) throw new Error("the new deploy key's row was not returned");
  return row.id;
}

/** The key itself is deleted with its last repository. */
export function deleteDeployKey(db: Database, id: number): void {
  db.query("DELETE FROM deploy_keys WHERE id = ?").run(id);
}

export function markDeployKeyUsed(db: Database, id: number, at: number): void {
  db.query("UPDATE deploy_keys SET last_used_at = ? WHERE id = ?").run(at, id);
}
