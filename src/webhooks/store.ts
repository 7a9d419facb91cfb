import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { HookEvent } from "./event-names.ts";
import type { HookHome, HookLevel, HookValues, Webhook } from "./types.ts";

interface HookRow {
  id: number;
  level: HookLevel;
  repo_id: number | null;
  owner_id: number | null;
  name: string;
  type: Webhook["type"];
  url: string;
  method: Webhook["method"];
  content_type: Webhook["contentType"];
  settings: string;
  has_secret: number;
  has_authorization: number;
  has_token: number;
  mode: Webhook["mode"];
  events: string;
  branch_filter: string;
  is_active: number;
  last_succeeded: number | null;
  created_at: number;
  updated_at: number;
}

const columns = `id, level, repo_id, owner_id, name, type, url, method, content_type, settings, secret <> '' AS has_secret,
  "authorization" <> '' AS has_authorization, token <> '' AS has_token, mode, events, branch_filter, is_active,
  last_succeeded, created_at, updated_at`;

// The JSON in these columns was written by `paramsOf`.
const hookOf = (row: HookRow): Webhook => ({
  id: row.id,
  level: row.level,
  repoId: row.repo_id ?? undefined,
  ownerId: row.owner_id ?? undefined,
  name: row.name,
  type: row.type,
  url: row.url,
  method: row.method,
  contentType: row.content_type,
  settings: JSON.parse(row.settings) as Record<string, string>,
  hasSecret: row.has_secret === 1,
  hasAuthorization: row.has_authorization === 1,
  hasToken: row.has_token === 1,
  mode: row.mode,
  events: JSON.parse(row.events) as HookEvent[],
  branchFilter: row.branch_filter,
  isActive: row.is_active === 1,
  lastSucceeded: row.last_succeeded === null ? undefined : row.last_succeeded === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** All levels of a home are of one kind, which determines the index to use. */
function whereOf({ levels, ownerId, repoId }: HookHome): { sql: string; params: Record<string, string | number> } {
  if (repoId !== undefined) return { sql: "repo_id = $repoId", params: { repoId } };
  if (ownerId !== undefined) return { sql: "owner_id = $ownerId", params: { ownerId } };
  const sql = "level IN ('system', 'default') AND level IN (SELECT value FROM json_each($levels))";
  return { sql, params: { levels: JSON.stringify(levels) } };
}

export function listHooks(
  db: Database,
  home: HookHome,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Webhook> {
  const { sql, params } = whereOf(home);
  const rows = db
    .query<HookRow>(`SELECT ${columns} FROM webhooks WHERE ${sql} ORDER BY id LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset });
  return { items: rows.map(hookOf), total: countHooks(db, home) };
}

export function countHooks(db: Database, home: HookHome): number {
  const { sql, params } = whereOf(home);
  return db.query<{ n: number }>(`SELECT count(*) AS n FROM webhooks WHERE ${sql}`).get(params)?.n ?? 0;
}

export function findHook(db: Database, id: number): Webhook | undefined {
  const row = db.query<HookRow>(`SELECT ${columns} FROM webhooks WHERE id = ?`).get(id);
  return row ? hookOf(row) : undefined;
}

/** Active hooks for events in a repository, at an owner, or anywhere. */
export function listeningHooks(db: Database, repoId: number | undefined, ownerId: number | undefined): Webhook[] {
  const sql = `SELECT ${columns} FROM (
      SELECT * FROM webhooks WHERE repo_id = $repoId
      UNION ALL SELECT * FROM webhooks WHERE owner_id = $ownerId
      UNION ALL SELECT * FROM webhooks WHERE level = 'system' AND level IN ('system', 'default')
    ) WHERE is_active = 1 ORDER BY id`;
  return db
    .query<HookRow>(sql)
    .all({ repoId: repoId ?? null, ownerId: ownerId ?? null })
    .map(hookOf);
}

/** The hooks of a repository, or the default ones. */
export function hooksOfRepo(db: Database, repoId: number): Webhook[] {
  const sql = `SELECT ${columns} FROM webhooks WHERE repo_id = ? ORDER BY id`;
  return db.query<HookRow>(sql).all(repoId).map(hookOf);
}

export function defaultHooks(db: Database): Webhook[] {
  const sql = `SELECT ${columns} FROM webhooks WHERE level = 'default' AND level IN ('system', 'default') ORDER BY id`;
  return db.query<HookRow>(sql).all().map(hookOf);
}

/** The values stored in plain text. */
type StoredValues = Omit<HookValues, "secrets">;

const paramsOf = (values: StoredValues) => ({
  name: values.name,
  type: values.type,
  url: values.url,
  method: values.method,
  contentType: values.contentType,
  settings: JSON.stringify(values.settings),
  mode: values.mode,
  events: JSON.stringify(values.events),
  branchFilter: values.branchFilter,
  isActive: Number(values.isActive),
});

export interface NewHookRow extends StoredValues {
  readonly level: HookLevel;
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
}

/** @returns its id; secrets are sealed for it afterwards */
export function insertHook(db: Database, { level, ownerId, repoId, ...values }: NewHookRow, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO webhooks (level, repo_id, owner_id, name, type, url, method, content_type, settings, mode, events,
         branch_filter, is_active, created_at, updated_at)
       VALUES ($level, $repoId, $ownerId, $name, $type, $url, $method, $contentType, $settings, $mode, $events,
         $branchFilter, $isActive, $now, $now) RETURNING id`,
    )
    .get({ ...paramsOf(values), level, repoId: repoId ?? null, ownerId: ownerId ?? null, now });
  if (!row) throw new Error("an inserted hook has a number");
  return row.id;
}

export function updateHook(db: Database, id: number, values: StoredValues, now: number): void {
  db.query(
    `UPDATE webhooks SET name = $name, type = $type, url = $url, method = $method, content_type = $contentType,
       settings = $settings, mode = $mode, events = $events, branch_filter = $branchFilter, is_active = $isActive,
       updated_at = $now WHERE id = $id`,
  ).run({ ...paramsOf(values), id, now });
}

/** Sealed values; empty for none. */
export interface SealedRow {
  readonly secret: string;
  readonly authorization: string;
  readonly token: string;
}

export function sealedOf(db: Database, id: number): SealedRow | undefined {
  const sql = `SELECT secret, "authorization", token FROM webhooks WHERE id = ?`;
  return db.query<SealedRow>(sql).get(id) ?? undefined;
}

export function putSealed(db: Database, id: number, { authorization, secret, token }: SealedRow): void {
  const sql = `UPDATE webhooks SET secret = $secret, "authorization" = $authorization, token = $token WHERE id = $id`;
  db.query(sql).run({ id, secret, authorization, token });
}

export function deleteHook(db: Database, id: number): void {
  db.query("DELETE FROM webhooks WHERE id = ?").run(id);
}

export function setLastOutcome(db: Database, id: number, succeeded: boolean): void {
  db.query("UPDATE webhooks SET last_succeeded = ? WHERE id = ?").run(Number(succeeded), id);
}
