import type { Database } from "../db/database.ts";
import type { EventRow } from "./store.ts";

/** Events that a consumer failed on, and those waiting behind them. */

export interface FailureRow {
  readonly consumer: string;
  readonly eventId: number;
  readonly stream: string;
  readonly tries: number;
  readonly retryAt: number;
}

/** A set-aside event, for administrators. */
export interface SetAsideRow extends EventRow {
  readonly consumer: string;
  readonly tries: number;
  readonly error: string;
  readonly failedAt: number;
}

export function putFailure(db: Database, row: FailureRow & { readonly error: string; readonly now: number }): void {
  db.query(
    `INSERT INTO event_failures (consumer, event_id, stream, state, tries, retry_at, last_error, failed_at)
     VALUES ($consumer, $eventId, $stream, 'waiting', $tries, $retryAt, $error, $now)
     ON CONFLICT (consumer, event_id) DO UPDATE
       SET tries = excluded.tries, retry_at = excluded.retry_at, last_error = excluded.last_error, failed_at = excluded.failed_at`,
  ).run({ ...row });
}

export function setAside(db: Database, consumer: string, eventId: number): void {
  db.query("UPDATE event_failures SET state = 'set-aside' WHERE consumer = ? AND event_id = ?").run(consumer, eventId);
}

export function deleteFailure(db: Database, consumer: string, eventId: number): void {
  db.query("DELETE FROM event_failures WHERE consumer = ? AND event_id = ?").run(consumer, eventId);
}

/** The first waiting event of each of the consumer's streams. */
export function waitingHeads(db: Database, consumer: string): FailureRow[] {
  return db
    .query<FailureRow>(
      `SELECT consumer, min(event_id) AS eventId, stream, tries, retry_at AS retryAt FROM event_failures
       WHERE consumer = ? AND state = 'waiting' GROUP BY stream`,
    )
    .all(consumer);
}

export function waitingHead(db: Database, consumer: string, stream: string): FailureRow | undefined {
  return (
    db
      .query<FailureRow>(
        `SELECT consumer, event_id AS eventId, stream, tries, retry_at AS retryAt FROM event_failures
         WHERE consumer = ? AND stream = ? AND state = 'waiting' ORDER BY event_id LIMIT 1`,
      )
      .get(consumer, stream) ?? undefined
  );
}

const eventColumns =
  "e.id, e.kind, e.version, e.repo_id AS repoId, e.owner_id AS ownerId, e.unit, e.user_id AS userId, e.via, e.token_id AS tokenId, e.payload, e.created_at AS at";

export function eventById(db: Database, id: number): EventRow | undefined {
  return db.query<EventRow>(`SELECT ${eventColumns} FROM events e WHERE e.id = ?`).get(id) ?? undefined;
}

export function pageOfSetAside(db: Database, limit: number, offset: number): SetAsideRow[] {
  return db
    .query<SetAsideRow>(
      `SELECT ${eventColumns}, f.consumer, f.tries, f.last_error AS error, f.failed_at AS failedAt
       FROM event_failures f JOIN events e ON e.id = f.event_id
       WHERE f.state = 'set-aside' ORDER BY f.event_id DESC, f.consumer LIMIT ? OFFSET ?`,
    )
    .all(limit, offset);
}

export function countSetAside(db: Database): number {
  return db.query<{ n: number }>("SELECT count(*) AS n FROM event_failures WHERE state = 'set-aside'").get()?.n ?? 0;
}

export function isSetAside(db: Database, consumer: string, eventId: number): boolean {
  return (
    db
      .query("SELECT 1 FROM event_failures WHERE consumer = ? AND event_id = ? AND state = 'set-aside'")
      .get(consumer, eventId) !== null
  );
}
