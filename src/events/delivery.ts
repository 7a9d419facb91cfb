import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { diskTrouble } from "../kernel/disk.ts";
import { WritesStopped } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import {
  deleteFailure,
  eventById,
  type FailureRow,
  putFailure,
  setAside,
  waitingHead,
  waitingHeads,
} from "./failures-store.ts";
import { cursorOf, type EventRow, eventsAfter, moveCursor } from "./store.ts";
import type { DomainEvent } from "./types.ts";

/**
 * A consumer handles an event inside the transaction that also records it as handled. It only writes rows or enqueues
 * jobs, so a crash neither repeats nor loses anything.
 */
export interface Consumer {
  readonly name: string;
  handle(event: DomainEvent): void;
}

/** Maximum events and duration of one transaction, so that requests are answered in between. */
const BATCH = 100;
const BATCH_MS = 8;
/** How often an event that a consumer fails on is tried: at once, and after 2, 4, 8 and 16 seconds. */
export const MAX_TRIES = 5;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = FIRST_WAIT_MS * 2 ** MAX_TRIES;

/**
 * Delivers to one consumer the events it has not handled yet. Events of one stream (a repository's, else an owner's,
 * else the site's) are handled in order: an event being retried holds up its own stream, not the others. Once its tries
 * are used up it is set aside and the stream continues without it, because a consumer that always fails must not block
 * a repository for ever.
 */
export class Delivery {
  constructor(
    readonly consumer: Consumer,
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly crash: CrashPoint,
    private readonly parse: (row: EventRow) => DomainEvent,
  ) {}

  /**
   * Delivers one batch in one transaction.
   * @returns whether more can be delivered at once
   * @throws the disk's error; nothing of the batch has happened then
   */
  deliverBatch(): boolean {
    const name = this.consumer.name;
    const due = waitingHeads(this.db, name).filter((head) => this.isDue(head));
    const events = eventsAfter(this.db, cursorOf(this.db, name) ?? 0, BATCH);
    if (due.length === 0 && events.length === 0) return false;
    const deadline = performance.now() + BATCH_MS;
    let isCutShort = false;
    this.db.transaction(() => {
      for (const { stream } of due) isCutShort = this.retryStream(stream, deadline) || isCutShort;
      const waiting = new Set(waitingHeads(this.db, name).map(({ stream }) => stream));
      let last: number | undefined;
      for (const row of events) {
        isCutShort ||= performance.now() > deadline;
        if (isCutShort && last !== undefined) break;
        this.take(row, waiting);
        last = row.id;
      }
      if (last !== undefined) moveCursor(this.db, name, last);
      this.crash("outbox.in-transaction");
    });
    this.crash("outbox.after-transaction");
    return isCutShort || events.length === BATCH;
  }

  /** When the next failed event is due for a retry, in milliseconds from now. */
  nextRetryMs(): number | undefined {
    const now = this.clock();
    const waits = waitingHeads(this.db, this.consumer.name).map((head) => (this.isDue(head) ? 0 : head.retryAt - now));
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Handles a set-aside event now, out of order. @throws what the consumer throws */
  handleSetAside(row: EventRow): void {
    this.db.transaction(() => {
      this.consumer.handle(this.parse(row));
      deleteFailure(this.db, this.consumer.name, row.id);
    });
  }

  private take(row: EventRow, waiting: Set<string>): void {
    const stream = streamOf(row);
    const base = { consumer: this.consumer.name, eventId: row.id, stream };
    if (waiting.has(stream)) {
      putFailure(this.db, { ...base, tries: 0, retryAt: 0, error: "", now: this.clock() });
      return;
    }
    if (this.tryOnce(row, { ...base, tries: 0, retryAt: 0 }) === "waits") waiting.add(stream);
  }

  /** Retries the first waiting event of a stream and, if that works, those behind it. @returns whether time ran out */
  private retryStream(stream: string, deadline: number): boolean {
    for (;;) {
      const head = waitingHead(this.db, this.consumer.name, stream);
      if (!head || !this.isDue(head)) return false;
      const row = eventById(this.db, head.eventId);
      if (row === undefined || this.tryOnce(row, head) === "handled")
        deleteFailure(this.db, this.consumer.name, head.eventId);
      if (performance.now() > deadline) return true;
    }
  }

  private tryOnce(row: EventRow, before: FailureRow): "handled" | "waits" | "set-aside" {
    try {
      this.db.savepoint(() => this.consumer.handle(this.parse(row)));
      return "handled";
    } catch (error) {
      // A disk error is not the event's fault: everything waits until the disk works again.
      if (diskTrouble(error) !== undefined || error instanceof WritesStopped) throw error;
      const tries = before.tries + 1;
      const now = this.clock();
      const text = error instanceof Error ? error.message : String(error);
      putFailure(this.db, { ...before, tries, retryAt: now + FIRST_WAIT_MS * 2 ** (tries - 1), error: text, now });
      const fields = { consumer: this.consumer.name, event: row.id, kind: row.kind, tries, error };
      if (tries < MAX_TRIES) {
        this.log.warn("an event could not be handled", fields);
        return "waits";
      }
      setAside(this.db, this.consumer.name, row.id);
      this.log.error("an event could not be handled and was set aside", fields);
      return "set-aside";
    }
  }

  /** A retry time further ahead than the maximum wait means that the clock has been set back since. */
  private isDue({ retryAt }: FailureRow): boolean {
    const now = this.clock();
    return retryAt <= now || retryAt > now + MAX_WAIT_MS;
  }
}

function streamOf({ repoId, ownerId }: EventRow): string {
  if (repoId !== null) return `repository:${repoId}`;
  return ownerId === null ? "site" : `owner:${ownerId}`;
}
