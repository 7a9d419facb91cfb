import type { Database } from "../../db/database.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { Application, ApplicationFields } from "../types.ts";

interface Row {
  id: number;
  owner_id: number | null;
  name: string;
  client_id: string;
  is_confidential: number;
  skips_later_consent: number;
  is_built_in: number;
  redirect_uris: string;
  created_at: number;
}

const columns =
  "id, owner_id, name, client_id, is_confidential, skips_later_consent, is_built_in, redirect_uris, created_at";

const toApplication = (row: Row): Application => ({
  id: row.id,
  ownerId: row.owner_id ?? undefined,
  name: row.name,
  clientId: row.client_id,
  isConfidential: row.is_confidential === 1,
  skipsLaterConsent: row.skips_later_consent === 1,
  isBuiltIn: row.is_built_in === 1,
  redirectUris: JSON.parse(row.redirect_uris) as string[],
  createdAt: row.created_at,
});

export function insertApplication(
  db: Database,
  application: ApplicationFields & {
    ownerId: number | undefined;
    clientId: string;
    secretHash: string;
    createdAt: number;
  },
): Application {
  const row = db
    .query<Row>(
      `INSERT INTO oauth2_applications (owner_id, name, client_id, secret_hash, is_confidential, skips_later_consent, redirect_uris, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
    )
    .get(
      application.ownerId ?? null,
      application.name,
      application.clientId,
      application.secretHash,
      application.isConfidential ? 1 : 0,
      application.skipsLaterConsent ? 1 : 0,
      JSON.stringify(application.redirectUris),
      application.createdAt,
    );
  if (!row) throw new Error("the new application's row was not returned");
  return toApplication(row);
}

export function updateApplication(db: Database, id: number, fields: ApplicationFields): void {
  db.query(
    "UPDATE oauth2_applications SET name = ?, is_confidential = ?, skips_later_consent = ?, redirect_uris = ? WHERE id = ?",
  ).run(
    fields.name,
    fields.isConfidential ? 1 : 0,
    fields.skipsLaterConsent ? 1 : 0,
    JSON.stringify(fields.redirectUris),
    id,
  );
}

export function updateSecret(db: Database, id: number, secretHash: string): void {
  db.query("UPDATE oauth2_applications SET secret_hash = ? WHERE id = ?").run(secretHash, id);
}

export function deleteApplication(db: Database, id: number): void {
  db.query("DELETE FROM oauth2_applications WHERE id = ?").run(id);
}

export function findApplication(db: Database, id: number): Application | undefined {
  const row = db.query<Row>(`SELECT ${columns} FROM oauth2_applications WHERE id = ?`).get(id);
  return row ? toApplication(row) : undefined;
}

export function findByClientId(
  db: Database,
  clientId: string,
): { application: Application; secretHash: string | undefined } | undefined {
  const row = db
    .query<Row & { secret_hash: string | null }>(
      `SELECT ${columns}, secret_hash FROM oauth2_applications WHERE client_id = ?`,
    )
    .get(clientId);
  return row ? { application: toApplication(row), secretHash: row.secret_hash ?? undefined } : undefined;
}

/** Applications of an account, or the site's own, newest first; built-in ones are not listed. */
export function applicationsOf(db: Database, ownerId: number | undefined, paging: Paging): Slice<Application> {
  const owner = ownerId ?? null;
  const total =
    db
      .query<{ n: number }>("SELECT count(*) AS n FROM oauth2_applications WHERE owner_id IS ? AND is_built_in = 0")
      .get(owner)?.n ?? 0;
  const items = db
    .query<Row>(
      `SELECT ${columns} FROM oauth2_applications WHERE owner_id IS ? AND is_built_in = 0 ORDER BY id DESC LIMIT ? OFFSET ?`,
    )
    .all(owner, paging.limit, paging.offset)
    .map(toApplication);
  return { items, total };
}
