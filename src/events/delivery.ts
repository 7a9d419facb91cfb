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
 * A consumer handles an event inside the transaction that also records it as handled: it writes rows or enqueues
 * jobs, nothing else, so a crash repeats nothing and loses nothing.
 */
export interface Consumer {
  readonly name: string;
  handle(event: DomainEvent): void;
}

/** Events of one transaction at most, and how long it may take: others have to be answered meanwhile. */
const BATCH = 100;
const BATCH_MS = 8;
/** An event that a consumer cannot take is tried this often: now, and after 2, 4, 8 and 16 seconds. */
export const MAX_TRIES = 5;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = FIRST_WAIT_MS * 2 ** MAX_TRIES;

/**
 * Brings one consumer what it has not handled yet. Events of one stream (a repository's, else an owner's, else those
 * of the site) are handled in their order: behind one that is tried again, its stream waits, the other streams do not.
 * When its tries are used up it is set aside and the stream goes on without it: a consumer that never takes it must
 * not keep a repository silent for ever.
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
   * Hands out one batch in one transaction.
   * @returns whether there is more to hand out at once
   * @throws what the disk says: nothing of the batch has happened then
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

  /** When the next event that failed is to be tried again, in milliseconds from now. */
  nextRetryMs(): number | undefined {
    const now = this.clock();
    const waits = waitingHeads(this.db, this.consumer.name).map((head) => (this.isDue(head) ? 0 : head.retryAt - now));
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Handles an event that was set aside, now, out of its order. @throws what the consumer throws */
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

  /** Tries the first waiting event of a stream and, as far as that goes, those behind it. @returns whether time ran out */
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
      // The disk's trouble is not the event's: all of it waits until the disk is well.
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

  /** A time further ahead than any wait comes from a clock that was set back since. */
  private isDue({ retryAt }: FailureRow): boolean {
    const now = this.clock();
    return retryAt <= now || retryAt > now + MAX_WAIT_MS;
  }
}

function streamOf({ repoId, ownerId }: EventRow): string {
  if (repoId !== null) return `repository:${repoId}`;
  return ownerId === null ? "site" : `owner:${ownerId}`;
}
