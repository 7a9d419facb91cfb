import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { inHome } from "../store.ts";
import type { HomeKey, Runner } from "../types.ts";

interface RunnerRow {
  id: number;
  uuid: string;
  repo_id: number | null;
  owner_id: number | null;
  name: string;
  version: string;
  labels: string;
  is_ephemeral: number;
  is_disabled: number;
  last_online_at: number | null;
  last_active_at: number | null;
}

const columns = `id, uuid, repo_id, owner_id, name, version, labels, is_ephemeral, is_disabled, last_online_at,
  last_active_at`;

const runnerOf = (row: RunnerRow): Runner => ({
  id: row.id,
  uuid: row.uuid,
  repoId: row.repo_id ?? undefined,
  ownerId: row.owner_id ?? undefined,
  name: row.name,
  version: row.version,
  // Written by `insertRunner` and `updateDeclared`.
  labels: JSON.parse(row.labels) as string[],
  isEphemeral: row.is_ephemeral === 1,
  isDisabled: row.is_disabled === 1,
  lastOnlineAt: row.last_online_at ?? undefined,
  lastActiveAt: row.last_active_at ?? undefined,
});

/** Which runners to include: those of a home, or all. */
export type RunnerScope = HomeKey | "all";

const inScope = (scope: RunnerScope) => (scope === "all" ? { sql: "TRUE", params: {} } : inHome(scope));

/** The parts of the sorted list, each a contiguous range of the index. */
const STRETCHES = [
  { isDisabled: false, called: ">= $onlineSince" },
  { isDisabled: true, called: ">= $onlineSince" },
  { isDisabled: false, called: "< $onlineSince" },
  { isDisabled: true, called: "< $onlineSince" },
];

/** The few runners of a home are found by home, all runners in list order. */
function indexOf(scope: RunnerScope): string {
  if (scope === "all") return "actions_runners_by_call";
  return scope.repoId === undefined ? "actions_runners_by_owner" : "actions_runners_by_repo";
}

/** @param onlineSince runners that called since then come first, then enabled ones (contract actions.md 8.4) */
export function listRunners(
  db: Database,
  scope: RunnerScope,
  isDisabled: boolean | undefined,
  onlineSince: number,
  { limit, offset }: Omit<Paging, "page">,
): Slice<Runner> {
  const { params, sql } = inScope(scope);
  const items: Runner[] = [];
  let total = 0;
  for (const stretch of STRETCHES) {
    if (isDisabled !== undefined && stretch.isDisabled !== isDisabled) continue;
    const from = `FROM actions_runners INDEXED BY ${indexOf(scope)}
      WHERE ${sql} AND is_disabled = $isDisabled AND coalesce(last_online_at, 0) ${stretch.called}`;
    const given = { ...params, isDisabled: Number(stretch.isDisabled), onlineSince };
    const wanted = { limit: limit - items.length, offset: Math.max(0, offset - total) };
    if (wanted.limit > 0) {
      const rows = db
        .query<RunnerRow>(
          `SELECT ${columns} ${from} ORDER BY coalesce(last_online_at, 0) DESC, id LIMIT $limit OFFSET $offset`,
        )
        .all({ ...given, ...wanted });
      items.push(...rows.map(runnerOf));
    }
    total += db.query<{ n: number }>(`SELECT count(*) AS n ${from}`).get(given)?.n ?? 0;
  }
  return { items, total };
}

export function countRunners(db: Database, home: HomeKey): number {
  const { sql, params } = inHome(home);
  return db.query<{ n: number }>(`SELECT count(*) AS n FROM actions_runners WHERE ${sql}`).get(params)?.n ?? 0;
}

export function findRunner(db: Database, scope: RunnerScope, id: number): Runner | undefined {
  const { sql, params } = inScope(scope);
  const row = db
    .query<RunnerRow>(`SELECT ${columns} FROM actions_runners WHERE id = $id AND ${sql}`)
    .get({ ...params, id });
  return row ? runnerOf(row) : undefined;
}

/** Also returns its token's hash. */
export function runnerByUuid(db: Database, uuid: string): { runner: Runner; tokenHash: string } | undefined {
  const row = db
    .query<RunnerRow & { token_hash: string }>(`SELECT ${columns}, token_hash FROM actions_runners WHERE uuid = ?`)
    .get(uuid);
  return row ? { runner: runnerOf(row), tokenHash: row.token_hash } : undefined;
}

export interface NewRunner extends HomeKey {
  readonly uuid: string;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly tokenHash: string;
  readonly isEphemeral: boolean;
  readonly canCancel: boolean;
}

/** @returns its ID */
export function insertRunner(db: Database, runner: NewRunner, now: number): number {
  const { canCancel, isEphemeral, labels, ownerId, repoId, ...values } = runner;
  const row = db
    .query<{ id: number }>(
      `INSERT INTO actions_runners (uuid, repo_id, owner_id, name, version, labels, token_hash, is_ephemeral, can_cancel,
         created_at)
       VALUES ($uuid, $repoId, $ownerId, $name, $version, $labels, $tokenHash, $isEphemeral, $canCancel, $now)
       RETURNING id`,
    )
    .get({
      ...values,
      repoId: repoId ?? null,
      ownerId: ownerId ?? null,
      labels: JSON.stringify(labels),
      isEphemeral: Number(isEphemeral),
      canCancel: Number(canCancel),
      now,
    });
  if (!row) throw new Error("an inserted runner has a number");
  return row.id;
}

/** What a runner reported when it started. */
export interface Declaration {
  readonly version: string;
  readonly labels: readonly string[];
  readonly canCancel: boolean;
}

export function updateDeclared(db: Database, id: number, { canCancel, labels, version }: Declaration): void {
  db.query(
    "UPDATE actions_runners SET version = $version, labels = $labels, can_cancel = $canCancel WHERE id = $id",
  ).run({
    id,
    version,
    labels: JSON.stringify(labels),
    canCancel: Number(canCancel),
  });
}

export function setOnline(db: Database, id: number, now: number): void {
  db.query("UPDATE actions_runners SET last_online_at = ? WHERE id = ?").run(now, id);
}

export function setActive(db: Database, id: number, now: number): void {
  db.query("UPDATE actions_runners SET last_active_at = ? WHERE id = ?").run(now, id);
}

export function setDisabled(db: Database, id: number, isDisabled: boolean): void {
  db.query("UPDATE actions_runners SET is_disabled = ? WHERE id = ?").run(Number(isDisabled), id);
}

export function deleteRunner(db: Database, id: number): void {
  db.query("DELETE FROM actions_runners WHERE id = ?").run(id);
}

/** The home's current token, sealed. */
export function activeToken(db: Database, home: HomeKey): { id: number; token: string } | undefined {
  const { sql, params } = inHome(home);
  return (
    db
      .query<{ id: number; token: string }>(
        `SELECT id, token FROM actions_registration_tokens WHERE ${sql} AND is_active = 1`,
      )
      .get(params) ?? undefined
  );
}

/** Finds a token by hash: its home, and whether it is in use. */
export function findToken(db: Database, hash: string): (HomeKey & { readonly isActive: boolean }) | undefined {
  const row = db
    .query<{ repo_id: number | null; owner_id: number | null; is_active: number }>(
      "SELECT repo_id, owner_id, is_active FROM actions_registration_tokens WHERE hash = ?",
    )
    .get(hash);
  return row
    ? { repoId: row.repo_id ?? undefined, ownerId: row.owner_id ?? undefined, isActive: row.is_active === 1 }
    : undefined;
}

/** @returns its ID, to which the token is then sealed */
export function insertToken(db: Database, { ownerId, repoId }: HomeKey, hash: string, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO actions_registration_tokens (repo_id, owner_id, hash, token, is_active, created_at)
       VALUES ($repoId, $ownerId, $hash, '', 1, $now) RETURNING id`,
    )
    .get({ repoId: repoId ?? null, ownerId: ownerId ?? null, hash, now });
  if (!row) throw new Error("an inserted token has a number");
  return row.id;
}

export function putSealedToken(db: Database, id: number, sealed: string): void {
  db.query("UPDATE actions_registration_tokens SET token = ? WHERE id = ?").run(sealed, id);
}

export function retireToken(db: Database, id: number): void {
  db.query("UPDATE actions_registration_tokens SET is_active = 0, token = '' WHERE id = ?").run(id);
}

const FIRST_VERSION = 1;

export function taskVersion(db: Database, home: HomeKey): number {
  const { sql, params } = inHome(home);
  const row = db.query<{ version: number }>(`SELECT version FROM actions_task_versions WHERE ${sql}`).get(params);
  return row?.version ?? FIRST_VERSION;
}

/** Makes the home's runners ask again. */
export function raiseTaskVersion(db: Database, home: HomeKey): void {
  const { sql, params } = inHome(home);
  const raised = db
    .query<{ version: number }>(`UPDATE actions_task_versions SET version = version + 1 WHERE ${sql} RETURNING version`)
    .get(params);
  if (raised) return;
  db.query("INSERT INTO actions_task_versions (repo_id, owner_id, version) VALUES (?, ?, ?)").run(
    home.repoId ?? null,
    home.ownerId ?? null,
    FIRST_VERSION + 1,
  );
}
