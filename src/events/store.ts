import type { Database } from "../db/database.ts";
import type { DomainEvent, EventKind } from "./types.ts";

interface Row {
  id: number;
  kind: string;
  repo_id: number | null;
  actor_id: number | null;
  payload: string;
  created_at: number;
}

export function insertEvent(
  db: Database,
  kind: EventKind,
  repoId: number | undefined,
  actorId: number | undefined,
  payload: unknown,
  now: number,
): void {
  db.query("INSERT INTO events (kind, repo_id, actor_id, payload, created_at) VALUES (?, ?, ?, ?, ?)").run(
    kind,
    repoId ?? null,
    actorId ?? null,
    JSON.stringify(payload),
    now,
  );
}

export function eventsAfter(db: Database, id: number, limit: number): DomainEvent[] {
  return db
    .query<Row>("SELECT id, kind, repo_id, actor_id, payload, created_at FROM events WHERE id > ? ORDER BY id LIMIT ?")
    .all(id, limit)
    .map(
      (row) =>
        ({
          id: row.id,
          kind: row.kind,
          repoId: row.repo_id ?? undefined,
          actorId: row.actor_id ?? undefined,
          payload: JSON.parse(row.payload),
          createdAt: row.created_at,
        }) as DomainEvent,
    );
}

export function cursorOf(db: Database, consumer: string): number {
  return (
    db.query<{ event_id: number }>("SELECT event_id FROM event_cursors WHERE consumer = ?").get(consumer)?.event_id ?? 0
  );
}

export function moveCursor(db: Database, consumer: string, eventId: number): void {
  db.query(
    "INSERT INTO event_cursors (consumer, event_id) VALUES (?, ?) ON CONFLICT (consumer) DO UPDATE SET event_id = excluded.event_id",
  ).run(consumer, eventId);
}
