import type { Database } from "../db/database.ts";
import { type SourceKind, type SourceSettings, settingsFrom, sourceFields } from "./settings.ts";
import type { OutsideAccount, OutsideIdentity, SignInSource } from "./types.ts";

interface SourceRow {
  id: number;
  name: string;
  kind: SourceKind;
  is_active: number;
  is_synchronized: number;
  skips_second_factor: number;
  settings: string;
  has_secret: number;
  created_at: number;
  updated_at: number;
}

const columns = `id, name, kind, is_active, is_synchronized, skips_second_factor, settings, secret <> '' AS has_secret,
  created_at, updated_at`;

function toSource(row: SourceRow): SignInSource {
  const stored: Record<string, unknown> = JSON.parse(row.settings);
  const facts = {
    id: row.id,
    name: row.name,
    isActive: row.is_active === 1,
    isSynchronized: row.is_synchronized === 1,
    skipsSecondFactor: row.skips_second_factor === 1,
    hasSecret: row.has_secret === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  switch (row.kind) {
    case "oauth2":
      return { ...facts, kind: row.kind, settings: settingsFrom(sourceFields.oauth2, stored) };
    case "ldap":
      return { ...facts, kind: row.kind, settings: settingsFrom(sourceFields.ldap, stored) };
    case "ldap-simple":
      return { ...facts, kind: row.kind, settings: settingsFrom(sourceFields["ldap-simple"], stored) };
    case "smtp":
      return { ...facts, kind: row.kind, settings: settingsFrom(sourceFields.smtp, stored) };
  }
}

export function listSources(db: Database): SignInSource[] {
  return db.query<SourceRow>(`SELECT ${columns} FROM sign_in_sources ORDER BY id`).all().map(toSource);
}

export function findSource(db: Database, id: number): SignInSource | undefined {
  const row = db.query<SourceRow>(`SELECT ${columns} FROM sign_in_sources WHERE id = ?`).get(id);
  return row ? toSource(row) : undefined;
}

export function findSourceByName(db: Database, name: string): SignInSource | undefined {
  const row = db
    .query<SourceRow>(`SELECT ${columns} FROM sign_in_sources WHERE lower_name = ?`)
    .get(name.toLowerCase());
  return row ? toSource(row) : undefined;
}

export function sealedSecretOf(db: Database, id: number): string {
  return db.query<{ secret: string }>("SELECT secret FROM sign_in_sources WHERE id = ?").get(id)?.secret ?? "";
}

export interface SourceValues {
  readonly name: string;
  readonly isActive: boolean;
  readonly isSynchronized: boolean;
  readonly skipsSecondFactor: boolean;
  readonly settings: SourceSettings;
}

const valuesOf = (source: SourceValues) => ({
  name: source.name,
  lower: source.name.toLowerCase(),
  active: source.isActive ? 1 : 0,
  synchronized: source.isSynchronized ? 1 : 0,
  skips: source.skipsSecondFactor ? 1 : 0,
  settings: JSON.stringify(source.settings),
});

export function insertSource(db: Database, kind: SourceKind, source: SourceValues, now: number): number {
  const row = db
    .query<{ id: number }>(
      `INSERT INTO sign_in_sources (name, lower_name, kind, is_active, is_synchronized, skips_second_factor, settings,
         created_at, updated_at)
       VALUES ($name, $lower, $kind, $active, $synchronized, $skips, $settings, $now, $now) RETURNING id`,
    )
    .get({ ...valuesOf(source), kind, now });
  return row?.id ?? 0;
}

export function updateSource(db: Database, id: number, source: SourceValues, now: number): void {
  db.query(
    `UPDATE sign_in_sources SET name = $name, lower_name = $lower, is_active = $active, is_synchronized = $synchronized,
       skips_second_factor = $skips, settings = $settings, updated_at = $now WHERE id = $id`,
  ).run({ ...valuesOf(source), id, now });
}

export function putSecret(db: Database, id: number, sealed: string): void {
  db.query("UPDATE sign_in_sources SET secret = ? WHERE id = ?").run(sealed, id);
}

export function deleteSource(db: Database, id: number): void {
  db.query("DELETE FROM sign_in_sources WHERE id = ?").run(id);
}

/** Whether any account comes from the source, or signs in through it. */
export function isUsed(db: Database, id: number): boolean {
  const row = db
    .query<{ used: number }>(
      `SELECT EXISTS (SELECT 1 FROM users WHERE source_id = $id AND source_id <> 0)
         OR EXISTS (SELECT 1 FROM outside_accounts WHERE source_id = $id) AS used`,
    )
    .get({ id });
  return row?.used === 1;
}

interface OutsideRow {
  source_id: number;
  source_name: string;
  issuer: string;
  subject: string;
  user_id: number;
  name: string;
  is_gone: number;
  created_at: number;
  last_used_at: number;
}

const outsideColumns = `outside_accounts.source_id, sign_in_sources.name AS source_name, issuer, subject, user_id,
  outside_accounts.name, is_gone, outside_accounts.created_at, last_used_at`;
const outsideFrom = "FROM outside_accounts JOIN sign_in_sources ON sign_in_sources.id = outside_accounts.source_id";

const toOutside = (row: OutsideRow): OutsideAccount => ({
  sourceId: row.source_id,
  sourceName: row.source_name,
  issuer: row.issuer,
  subject: row.subject,
  userId: row.user_id,
  name: row.name,
  isGone: row.is_gone === 1,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

export function findOutside(
  db: Database,
  sourceId: number,
  { issuer, subject }: Pick<OutsideIdentity, "issuer" | "subject">,
): OutsideAccount | undefined {
  const row = db
    .query<OutsideRow>(
      `SELECT ${outsideColumns} ${outsideFrom} WHERE outside_accounts.source_id = ? AND issuer = ? AND subject = ?`,
    )
    .get(sourceId, issuer, subject);
  return row ? toOutside(row) : undefined;
}

/** The account linked to that subject at a source with one of these issuers. */
export function userOfIssuer(db: Database, issuers: readonly string[], subject: string): number | undefined {
  const sql = `SELECT user_id AS id FROM sign_in_sources CROSS JOIN outside_accounts ON source_id = sign_in_sources.id
    WHERE is_active = 1 AND is_gone = 0 AND issuer IN (SELECT value FROM json_each(?)) AND subject = ?
    ORDER BY source_id LIMIT 1`;
  return db.query<{ id: number }>(sql).get(JSON.stringify(issuers), subject)?.id;
}

/** Active accounts whose subject is an integer, of active sources. */
export function numberedOutside(db: Database): { issuer: string; id: number; userId: number }[] {
  const sql = `SELECT issuer, CAST(subject AS INTEGER) AS id, user_id AS userId
    FROM sign_in_sources CROSS JOIN outside_accounts ON source_id = sign_in_sources.id
    WHERE is_active = 1 AND is_gone = 0 AND length(subject) < 16 AND CAST(CAST(subject AS INTEGER) AS TEXT) = subject
      AND CAST(subject AS INTEGER) > 0
    ORDER BY source_id, issuer, subject`;
  return db.query<{ issuer: string; id: number; userId: number }>(sql).all();
}

export function outsideOfUser(db: Database, userId: number): OutsideAccount[] {
  return db
    .query<OutsideRow>(`SELECT ${outsideColumns} ${outsideFrom} WHERE user_id = ? ORDER BY lower_name, subject`)
    .all(userId)
    .map(toOutside);
}

/** A page of a source's external accounts, by subject, after the given one. */
export function outsideOfSource(db: Database, sourceId: number, after: string, limit: number): OutsideAccount[] {
  return db
    .query<OutsideRow>(
      `SELECT ${outsideColumns} ${outsideFrom}
       WHERE outside_accounts.source_id = ? AND issuer = '' AND subject > ? ORDER BY subject LIMIT ?`,
    )
    .all(sourceId, after, limit)
    .map(toOutside);
}

export function insertOutside(
  db: Database,
  sourceId: number,
  { issuer, subject, name }: Pick<OutsideIdentity, "issuer" | "subject" | "name">,
  userId: number,
  now: number,
): void {
  db.query(
    `INSERT INTO outside_accounts (source_id, issuer, subject, user_id, name, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(sourceId, issuer, subject, userId, name, now, now);
}

export function touchOutside(
  db: Database,
  sourceId: number,
  { issuer, subject, name }: Pick<OutsideIdentity, "issuer" | "subject" | "name">,
  now: number,
): void {
  db.query(
    "UPDATE outside_accounts SET name = ?, last_used_at = ? WHERE source_id = ? AND issuer = ? AND subject = ?",
  ).run(name, now, sourceId, issuer, subject);
}

export function markGone(db: Database, { sourceId, issuer, subject }: OutsideAccount, isGone: boolean): void {
  db.query("UPDATE outside_accounts SET is_gone = ? WHERE source_id = ? AND issuer = ? AND subject = ?").run(
    isGone ? 1 : 0,
    sourceId,
    issuer,
    subject,
  );
}

export function deleteOutside(db: Database, { sourceId, issuer, subject }: OutsideAccount): void {
  db.query("DELETE FROM outside_accounts WHERE source_id = ? AND issuer = ? AND subject = ?").run(
    sourceId,
    issuer,
    subject,
  );
}

/** Deletes what the source said about an account that no longer comes from it. */
export function deleteOutsideOf(db: Database, userId: number, sourceId: number): void {
  db.query("DELETE FROM outside_accounts WHERE user_id = ? AND source_id = ?").run(userId, sourceId);
}

/** The account assigned to the source by an administrator under that name. */
export function assignedUser(db: Database, sourceId: number, loginName: string, anyCase: boolean): number | undefined {
  const name = anyCase ? "lower(login_name) = lower($name)" : "login_name = $name";
  return db
    .query<{ id: number }>(
      `SELECT id FROM users WHERE source_id = $source AND source_id <> 0 AND ${name} AND login_name <> '' LIMIT 1`,
    )
    .get({ source: sourceId, name: loginName })?.id;
}
