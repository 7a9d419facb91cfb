import type { Database } from "../../db/database.ts";

export interface Device {
  readonly hash: string;
  readonly userCode: string;
  readonly applicationId: number;
  readonly scope: string;
  readonly state: "waiting" | "granted" | "denied";
  readonly grantId: number | undefined;
  readonly intervalMs: number;
  readonly polledAt: number | undefined;
  readonly expiresAt: number;
}

interface Row {
  code_hash: string;
  user_code: string;
  application_id: number;
  scope: string;
  state: Device["state"];
  grant_id: number | null;
  interval_ms: number;
  polled_at: number | null;
  expires_at: number;
}

const toDevice = (row: Row): Device => ({
  hash: row.code_hash,
  userCode: row.user_code,
  applicationId: row.application_id,
  scope: row.scope,
  state: row.state,
  grantId: row.grant_id ?? undefined,
  intervalMs: row.interval_ms,
  polledAt: row.polled_at ?? undefined,
  expiresAt: row.expires_at,
});

/** @returns false if the user code is already in use */
export function insertDevice(
  db: Database,
  device: Pick<Device, "hash" | "userCode" | "applicationId" | "scope" | "intervalMs" | "expiresAt">,
): boolean {
  const { changes } = db
    .query(
      `INSERT INTO oauth2_devices (code_hash, user_code, application_id, scope, state, interval_ms, expires_at)
       VALUES (?, ?, ?, ?, 'waiting', ?, ?) ON CONFLICT (user_code) DO NOTHING`,
    )
    .run(device.hash, device.userCode, device.applicationId, device.scope, device.intervalMs, device.expiresAt);
  return changes > 0;
}

export function findDevice(db: Database, hash: string): Device | undefined {
  const row = db.query<Row>("SELECT * FROM oauth2_devices WHERE code_hash = ?").get(hash);
  return row ? toDevice(row) : undefined;
}

export function findWaitingDevice(db: Database, userCode: string, now: number): Device | undefined {
  const row = db
    .query<Row>("SELECT * FROM oauth2_devices WHERE user_code = ? AND state = 'waiting' AND expires_at > ?")
    .get(userCode, now);
  return row ? toDevice(row) : undefined;
}

export function answerDevice(db: Database, hash: string, grantId: number | undefined): void {
  db.query("UPDATE oauth2_devices SET state = ?, grant_id = ? WHERE code_hash = ?").run(
    grantId === undefined ? "denied" : "granted",
    grantId ?? null,
    hash,
  );
}

export function markPolled(db: Database, hash: string, at: number, intervalMs: number): void {
  db.query("UPDATE oauth2_devices SET polled_at = ?, interval_ms = ? WHERE code_hash = ?").run(at, intervalMs, hash);
}

/** @returns whether it existed */
export function deleteDevice(db: Database, hash: string): boolean {
  return db.query("DELETE FROM oauth2_devices WHERE code_hash = ?").run(hash).changes > 0;
}

export function deleteDevicesBefore(db: Database, expiry: number): void {
  db.query("DELETE FROM oauth2_devices WHERE expires_at <= ?").run(expiry);
}
