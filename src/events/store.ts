import type { Unit } from "../access/levels.ts";
import type { Database } from "../db/database.ts";
import type { EventContext, StoredPrincipal } from "./types.ts";

/** An event as stored; its payload is JSON text until it is delivered. */
export interface EventRow {
  readonly id: number;
  readonly kind: string;
  readonly version: number;
  readonly repoId: number | null;
  readonly ownerId: number | null;
  readonly unit: Unit | null;
  readonly userId: number | null;
  readonly via: string;
  readonly tokenId: number | null;
  readonly payload: string;
  readonly at: number;
}

const columns =
  "e.id, e.kind, e.version, e.repo_id AS repoId, e.owner_id AS ownerId, e.unit, e.user_id AS userId, e.via, e.token_id AS tokenId, e.payload, e.created_at AS at";

export function insertEvent(
  db: Database,
  kind: string,
  version: number,
  { repoId, ownerId, unit }: EventContext,
  principal: StoredPrincipal,
  payload: unknown,
  now: number,
): void {
  db.query(
    `INSERT INTO events (kind, version, repo_id, owner_id, unit, user_id, via, token_id, payload, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    kind,
    version,
    repoId ?? null,
    ownerId ?? null,
    unit ?? null,
    principal.userId ?? null,
    principal.via ?? "",
    principal.tokenId ?? null,
    JSON.stringify(payload),
    now,
  );
}

export function eventsAfter(db: Database, id: number, limit: number): EventRow[] {
  return db.query<EventRow>(`SELECT ${columns} FROM events e WHERE e.id > ? ORDER BY e.id LIMIT ?`).all(id, limit);
}

export function lastEventId(db: Database): number {
  return db.query<{ last: number | null }>("SELECT max(id) AS last FROM events").get()?.last ?? 0;
}

export function cursorOf(db: Database, consumer: string): number | undefined {
  return db.query<{ at: number }>("SELECT event_id AS at FROM event_cursors WHERE consumer = ?").get(consumer)?.at;
}

export function moveCursor(db: Database, consumer: string, eventId: number): void {
  db.query(
    "INSERT INTO event_cursors (consumer, event_id) VALUES (?, ?) ON CONFLICT (consumer) DO UPDATE SET event_id = excluded.event_id",
  ).run(consumer, eventId);
}

/**
 * Deletes up to `limit` events older than `before` that every one of these consumers has handled; events that a
 * consumer failed on stay. @returns how many were deleted
 */
export function deleteHandledEvents(db: Database, consumers: readonly string[], before: number, limit: number): number {
  return db
    .query(
      `DELETE FROM events WHERE id IN (
         SELECT id FROM events WHERE created_at < $before
           AND id <= (SELECT coalesce(min(coalesce(c.event_id, 0)), 0) FROM json_each($consumers) AS j
                      LEFT JOIN event_cursors AS c ON c.consumer = j.value)
           AND NOT EXISTS (SELECT 1 FROM event_failures AS f WHERE f.event_id = events.id)
         ORDER BY created_at LIMIT $limit)`,
    )
    .run({ before, consumers: JSON.stringify(consumers), limit }).changes;
}
