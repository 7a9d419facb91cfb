import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { diskTrouble } from "../kernel/disk.ts";
import type { Log } from "../kernel/log.ts";
import { cursorOf, eventsAfter, insertEvent, moveCursor } from "./store.ts";
import type { DomainEvent, EventKind, EventPayloads } from "./types.ts";

/**
 * A consumer handles one event inside the transaction that also records it as handled: it writes rows or
 * enqueues jobs, nothing else, so a crash repeats nothing and loses nothing.
 */
export interface Consumer {
  readonly name: string;
  handle(event: DomainEvent): void;
}

/** Told about each event after it is committed; keeps nothing (live pages). */
export type Listener = (event: DomainEvent) => void;

const BATCH = 100;
const RETRY_MS = 5_000;

/** The transactional outbox and its one dispatcher. */
export class Outbox {
  private readonly consumers: Consumer[] = [];
  private readonly listeners: Listener[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  private heard: number;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly crash: CrashPoint = () => {},
  ) {
    this.heard = db.query<{ last: number | null }>("SELECT max(id) AS last FROM events").get()?.last ?? 0;
  }

  add(consumer: Consumer): void {
    this.consumers.push(consumer);
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Appends an event to the running transaction; consumers get it after the commit. */
  append<K extends EventKind>(
    kind: K,
    about: { repoId?: number; actorId?: number | undefined },
    payload: EventPayloads[K],
  ): void {
    insertEvent(this.db, kind, about.repoId, about.actorId, payload, this.clock());
    this.db.onCommit(() => this.wake());
  }

  /** Hands out what is waiting, soon. Called at start too: events of before a crash are delivered then. */
  wake(): void {
    if (this.stopped) return;
    clearTimeout(this.retry);
    this.retry = undefined;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.tryToDispatch();
    }, 0);
  }

  /** Hands out what is waiting as the server stops, as far as that goes. */
  finish(): void {
    this.tryToDispatch();
    this.stop();
  }

  /** What cannot be handed out (the disk is full) waits in the table and is tried again soon, and at the next event. */
  private tryToDispatch(): void {
    let isDone = false;
    try {
      isDone = this.dispatch();
    } catch (error) {
      this.log.warn("events could not be handed out", { error });
    }
    if (isDone || this.stopped) return;
    this.retry ??= setTimeout(() => this.wake(), RETRY_MS);
    this.retry.unref?.();
  }

  /** Hands out no more: the database is about to close. What waits is delivered after the next start. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.retry);
  }

  /** Hands out everything that is waiting, now. @returns false when a consumer could not take an event */
  dispatch(): boolean {
    let isDone = true;
    for (const consumer of this.consumers) isDone = this.feed(consumer) && isDone;
    for (;;) {
      const events = eventsAfter(this.db, this.heard, BATCH);
      for (const event of events) {
        this.heard = event.id;
        for (const listener of this.listeners) listener(event);
      }
      if (events.length < BATCH) return isDone;
    }
  }

  private feed(consumer: Consumer): boolean {
    for (;;) {
      const events = eventsAfter(this.db, cursorOf(this.db, consumer.name), BATCH);
      for (const event of events) {
        try {
          this.db.transaction(() => {
            consumer.handle(event);
            moveCursor(this.db, consumer.name, event.id);
            this.crash("outbox.in-transaction");
          });
          this.crash("outbox.after-transaction");
        } catch (error) {
          // In order or not at all: the consumer stops here and is tried again soon.
          const fields = { consumer: consumer.name, event: event.id, kind: event.kind, error };
          if (diskTrouble(error) === undefined) this.log.error("an event could not be handled", fields);
          else this.log.warn("an event waits for the disk", fields);
          return false;
        }
      }
      if (events.length < BATCH) return true;
    }
  }
}
