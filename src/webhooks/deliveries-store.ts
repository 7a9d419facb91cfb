import type { Database } from "../db/database.ts";
import type { Slice } from "../kernel/paging.ts";
import type { EventType } from "./event-names.ts";
import type { Delivery, GotResponse, SentRequest } from "./types.ts";

interface DeliveryRow {
  id: number;
  hook_id: number;
  uuid: string;
  event_type: EventType;
  payload: string | null;
  source: string | null;
  is_sent: number;
  sent_at: number | null;
  succeeded: number | null;
  request: string | null;
  response: string | null;
  created_at: number;
}

// The JSON in these columns was written by `recordOutcome`.
const deliveryOf = (row: DeliveryRow): Delivery => ({
  id: row.id,
  hookId: row.hook_id,
  uuid: row.uuid,
  eventType: row.event_type,
  payload: row.payload ?? undefined,
  source: row.source ?? undefined,
  isSent: row.is_sent === 1,
  sentAt: row.sent_at ?? undefined,
  succeeded: row.succeeded === null ? undefined : row.succeeded === 1,
  request: row.request === null ? undefined : (JSON.parse(row.request) as SentRequest),
  response: row.response === null ? undefined : (JSON.parse(row.response) as GotResponse),
  createdAt: row.created_at,
});

export interface NewDelivery {
  readonly hookId: number;
  readonly eventType: EventType;
  readonly payload?: string | undefined;
  readonly source?: string | undefined;
}

export function insertDelivery(db: Database, { eventType, hookId, payload, source }: NewDelivery, now: number): void {
  db.query(
    `INSERT INTO webhook_deliveries (hook_id, uuid, event_type, payload, source, created_at)
     VALUES ($hookId, $uuid, $eventType, $payload, $source, $now)`,
  ).run({ hookId, uuid: crypto.randomUUID(), eventType, payload: payload ?? null, source: source ?? null, now });
}

/** The oldest unsent one. */
export function nextUnsent(db: Database, hookId: number): Delivery | undefined {
  const sql = "SELECT * FROM webhook_deliveries WHERE hook_id = ? AND is_sent = 0 ORDER BY id LIMIT 1";
  const row = db.query<DeliveryRow>(sql).get(hookId);
  return row ? deliveryOf(row) : undefined;
}

/** Hooks with unsent deliveries. */
export function hooksWithUnsent(db: Database): number[] {
  const sql = "SELECT DISTINCT hook_id AS id FROM webhook_deliveries WHERE is_sent = 0";
  return db
    .query<{ id: number }>(sql)
    .all()
    .map(({ id }) => id);
}

/** Called before sending: a delivery is never sent twice. @returns whether it was still unsent */
export function markSent(db: Database, id: number, now: number): boolean {
  const sql = "UPDATE webhook_deliveries SET is_sent = 1, sent_at = ?, succeeded = 0 WHERE id = ? AND is_sent = 0";
  return db.query(sql).run(now, id).changes === 1;
}

export function deleteDelivery(db: Database, id: number): void {
  db.query("DELETE FROM webhook_deliveries WHERE id = ?").run(id);
}

export function putPayload(db: Database, id: number, payload: string): void {
  db.query("UPDATE webhook_deliveries SET payload = ?, source = NULL WHERE id = ?").run(payload, id);
}

export interface Outcome {
  readonly succeeded: boolean;
  readonly request?: SentRequest | undefined;
  readonly response: GotResponse;
}

export function recordOutcome(db: Database, id: number, { request, response, succeeded }: Outcome): void {
  const sql = "UPDATE webhook_deliveries SET succeeded = $ok, request = $request, response = $response WHERE id = $id";
  db.query(sql).run({
    id,
    ok: Number(succeeded),
    request: request === undefined ? null : JSON.stringify(request),
    response: JSON.stringify(response),
  });
}

/** Newest first. */
export function listDeliveries(
  db: Database,
  hookId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Slice<Delivery> {
  const rows = db
    .query<DeliveryRow>(
      "SELECT * FROM webhook_deliveries WHERE hook_id = $hookId ORDER BY id DESC LIMIT $limit OFFSET $offset",
    )
    .all({ hookId, limit, offset });
  const total = db
    .query<{ n: number }>("SELECT count(*) AS n FROM webhook_deliveries WHERE hook_id = ?")
    .get(hookId)?.n;
  return { items: rows.map(deliveryOf), total: total ?? 0 };
}

export function findDelivery(db: Database, hookId: number, uuid: string): Delivery | undefined {
  const sql = "SELECT * FROM webhook_deliveries WHERE uuid = ? AND hook_id = ?";
  const row = db.query<DeliveryRow>(sql).get(uuid, hookId);
  return row ? deliveryOf(row) : undefined;
}

/** Deletes sent ones from before that time; unsent ones are kept. @returns how many */
export function pruneDeliveries(db: Database, before: number, limit: number): number {
  const sql = `DELETE FROM webhook_deliveries WHERE id IN
    (SELECT id FROM webhook_deliveries WHERE is_sent = 1 AND created_at < ? LIMIT ?)`;
  return db.query(sql).run(before, limit).changes;
}
