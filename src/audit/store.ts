import type { Database } from "../db/database.ts";
import type { AuditDetails, AuditEntry } from "./actions.ts";

interface Row {
  id: number;
  at: number;
  action: string;
  account_id: number | null;
  account: string;
  actor_id: number | null;
  actor: string;
  via: string;
  address: string;
  details: string;
}

export type NewEntry = Omit<AuditEntry, "id">;

export function insertEntry(db: Database, entry: NewEntry): void {
  db.query(
    `INSERT INTO audit_entries (at, action, account_id, account, actor_id, actor, via, address, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    entry.at,
    entry.action,
    entry.accountId ?? null,
    entry.account,
    entry.actorId ?? null,
    entry.actor,
    entry.via,
    entry.address,
    JSON.stringify(entry.details),
  );
}

export interface EntryFilter {
  readonly accountId?: number | undefined;
  /** For deleted accounts. */
  readonly accountName?: string | undefined;
  readonly action?: string | undefined;
}

/** Newest first. Each combination of filters is a separate statement, so that each can use its index. */
export function listEntries(
  db: Database,
  { accountId, accountName, action }: EntryFilter,
  limit: number,
  offset: number,
): { items: AuditEntry[]; total: number } {
  const conditions = [
    ...(accountId === undefined ? [] : ["account_id = $account"]),
    ...(accountName === undefined ? [] : ["account = $name COLLATE NOCASE"]),
    ...(action === undefined ? [] : ["action = $action"]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const params = {
    ...(accountId === undefined ? {} : { account: accountId }),
    ...(accountName === undefined ? {} : { name: accountName }),
    ...(action === undefined ? {} : { action }),
  };
  const total = db.query<{ n: number }>(`SELECT count(*) AS n FROM audit_entries ${where}`).get(params)?.n ?? 0;
  const items = db
    .query<Row>(`SELECT * FROM audit_entries ${where} ORDER BY id DESC LIMIT $limit OFFSET $offset`)
    .all({ ...params, limit, offset })
    .map(toEntry);
  return { items, total };
}

/** The actions in the log. */
export function actionsOf(db: Database): string[] {
  // One index step for each, where DISTINCT would walk the whole index.
  return db
    .query<{ action: string }>(
      `WITH RECURSIVE found (action) AS (
         SELECT min(action) FROM audit_entries
         UNION ALL
         SELECT (SELECT min(action) FROM audit_entries WHERE action > found.action) FROM found WHERE found.action IS NOT NULL
       ) SELECT action FROM found WHERE action IS NOT NULL`,
    )
    .all()
    .map(({ action }) => action);
}

/** How many of an account's last entries are searched. */
const RECENT = 1_000;

export function signInsFrom(db: Database, accountId: number, address: string): "yes" | "no" | "never-signed-in" {
  const row = db
    .query<{ signIns: number; here: number }>(
      `SELECT count(*) AS signIns, coalesce(sum(address = $address), 0) AS here
       FROM (SELECT action, address FROM audit_entries WHERE account_id = $account ORDER BY id DESC LIMIT $recent)
       WHERE action = 'sign-in'`,
    )
    .get({ account: accountId, address, recent: RECENT });
  if (!row || row.signIns === 0) return "never-signed-in";
  return row.here > 0 ? "yes" : "no";
}

/** @returns how many */
export function pruneEntries(db: Database, before: number, limit: number): number {
  return db
    .query("DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE at < ? ORDER BY at LIMIT ?)")
    .run(before, limit).changes;
}

const toEntry = (row: Row): AuditEntry => ({
  id: row.id,
  at: row.at,
  action: row.action,
  accountId: row.account_id ?? undefined,
  account: row.account,
  actorId: row.actor_id ?? undefined,
  actor: row.actor,
  via: row.via,
  address: row.address,
  details: JSON.parse(row.details) as AuditDetails,
});
