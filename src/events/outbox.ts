import { operator, type Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { type Consumer, Delivery } from "./delivery.ts";
import { countSetAside, deleteFailure, eventById, isSetAside, pageOfSetAside } from "./failures-store.ts";
import {
  cursorOf,
  deleteHandledEvents,
  type EventRow,
  eventsAfter,
  insertEvent,
  lastEventId,
  moveCursor,
} from "./store.ts";
import { type DomainEvent, type EventContext, type EventKind, type EventPayloads, storedPrincipal } from "./types.ts";

/** Called with each event after it is committed; nothing is retried (live pages). */
export type Listener = (event: DomainEvent) => void;

/** A change that belongs to an event's own transaction. */
export type Reaction<K extends EventKind> = (context: EventContext, payload: EventPayloads[K]) => void;

/** An event that a consumer failed on in every try. */
export interface SetAsideEvent {
  readonly consumer: string;
  readonly event: Omit<DomainEvent, "payload">;
  /** As JSON. */
  readonly payload: string;
  readonly tries: number;
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly failedAt: number;
}

const BATCH = 100;
/** After a failed dispatch (the disk is full), the next attempt comes after this long, or with the next event. */
const RETRY_MS = 5_000;
/** The maximum length of a timer, which bounds the delay when the clock is set back. */
const MAX_SLEEP_MS = 30_000;

/** The transactional outbox and its one dispatcher. */
export class Outbox {
  private readonly deliveries: Delivery[] = [];
  private readonly listeners: Listener[] = [];
  private readonly reactions = new Map<EventKind, Reaction<EventKind>[]>();
  private readonly shapes = new Map<string, { version: number; upgrade(payload: unknown, from: number): unknown }>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  /** Whether every consumer has its cursor in the table. */
  private hasCursors = false;
  private heard: number;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly clock: Clock,
    private readonly crash: CrashPoint = () => {},
  ) {
    this.heard = lastEventId(db);
  }

  /** A consumer that is new to this database starts with the first event after it was added. */
  add(consumer: Consumer): void {
    this.deliveries.push(new Delivery(consumer, this.db, this.log, this.clock, this.crash, (row) => this.parse(row)));
    this.hasCursors = false;
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /**
   * Runs in the transaction that appends an event of that kind, before it commits: for rows of other areas that must
   * change atomically with the event, such as the watch of a repository's creator. If it throws, the whole transaction
   * is rolled back. Anything that can happen later belongs in a consumer.
   */
  react<K extends EventKind>(kind: K, reaction: Reaction<K>): void {
    const all = this.reactions.get(kind);
    if (all) all.push(reaction as Reaction<EventKind>);
    else this.reactions.set(kind, [reaction as Reaction<EventKind>]);
  }

  /**
   * Declares that payloads of that kind have a new shape. Stored events with an older shape are converted as they are
   * read, so that consumers only deal with the newest.
   * @param version 2 or more; a kind that is not declared here is at 1
   */
  declareVersion<K extends EventKind>(
    kind: K,
    version: number,
    upgrade: (payload: unknown, from: number) => EventPayloads[K],
  ): void {
    this.shapes.set(kind, { version, upgrade });
  }

  /** Appends an event to the running transaction; consumers receive it after the commit. */
  append<K extends EventKind>(kind: K, context: EventContext, payload: EventPayloads[K]): void {
    this.placeCursors();
    const version = this.shapes.get(kind)?.version ?? 1;
    const principal = context.principal ?? storedPrincipal(operator);
    insertEvent(this.db, kind, version, context, principal, payload, this.clock());
    for (const react of this.reactions.get(kind) ?? []) react({ ...context, principal }, payload);
    this.db.onCommit(() => this.wake());
  }

  /** Schedules a dispatch of waiting events. Also called at start, to deliver events from before a crash. */
  wake(): void {
    if (this.stopped) return;
    clearTimeout(this.retry);
    this.retry = undefined;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.dispatchSome();
    }, 0);
  }

  /** Delivers as many waiting events as possible while the server stops. */
  finish(): void {
    try {
      this.dispatch();
    } catch (error) {
      this.log.warn("events could not be handed out", { error });
    }
    this.stop();
  }

  /** Stops delivering, because the database is about to close. Waiting events are delivered after the next start. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.retry);
  }

  /** Delivers all waiting events now; those that a consumer fails on are retried later. */
  dispatch(): void {
    this.placeCursors();
    for (const delivery of this.deliveries) while (delivery.deliverBatch());
    while (this.tellListeners());
  }

  /** Set-aside events, newest first. */
  setAside(paging: { readonly limit: number; readonly offset: number }): { items: SetAsideEvent[]; total: number } {
    const items = pageOfSetAside(this.db, paging.limit, paging.offset).map((row): SetAsideEvent => {
      const { payload, ...event } = this.envelopeOf(row);
      return { consumer: row.consumer, event, payload, tries: row.tries, error: row.error, failedAt: row.failedAt };
    });
    return { items, total: countSetAside(this.db) };
  }

  /**
   * Delivers a set-aside event to its consumer again, out of order.
   * @throws NotFound if it is not (or no longer) set aside, or this Hearth has no such consumer; what the consumer
   * throws
   */
  retrySetAside(consumer: string, eventId: number): void {
    const row = isSetAside(this.db, consumer, eventId) ? eventById(this.db, eventId) : undefined;
    const delivery = this.deliveries.find((other) => other.consumer.name === consumer);
    if (!row || !delivery) throw new NotFound("events.not-set-aside");
    delivery.handleSetAside(row);
  }

  /** Discards a set-aside event for good. @throws NotFound if it is not (or no longer) set aside */
  discardSetAside(consumer: string, eventId: number): void {
    this.db.transaction(() => {
      if (!isSetAside(this.db, consumer, eventId)) throw new NotFound("events.not-set-aside");
      deleteFailure(this.db, consumer, eventId);
    });
  }

  /** Deletes up to `limit` events older than `before` that all consumers have handled. @returns how many */
  prune(before: number, limit: number): number {
    const consumers = this.deliveries.map(({ consumer }) => consumer.name);
    return deleteHandledEvents(this.db, consumers, before, limit);
  }

  /** Delivers one batch per consumer, then yields to other work. */
  private dispatchSome(): void {
    let hasMore = false;
    let hasFailed = false;
    const attempt = (work: () => boolean) => {
      try {
        hasMore = work() || hasMore;
      } catch (error) {
        hasFailed = true;
        this.log.warn("events could not be handed out", { error });
      }
    };
    attempt(() => {
      this.placeCursors();
      return false;
    });
    for (const delivery of this.deliveries) attempt(() => delivery.deliverBatch());
    attempt(() => this.tellListeners());
    if (this.stopped) return;
    if (hasMore && !hasFailed) this.wake();
    else this.sleep(hasFailed ? RETRY_MS : this.nextRetryMs());
  }

  private nextRetryMs(): number | undefined {
    const waits = this.deliveries.flatMap((delivery) => delivery.nextRetryMs() ?? []);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  private sleep(ms: number | undefined): void {
    if (ms === undefined) return;
    this.retry ??= setTimeout(() => this.wake(), Math.min(ms, MAX_SLEEP_MS));
    this.retry.unref?.();
  }

  /** @returns whether there are more events to pass on */
  private tellListeners(): boolean {
    const rows = eventsAfter(this.db, this.heard, BATCH);
    for (const row of rows) {
      this.heard = row.id;
      for (const listener of this.listeners) {
        try {
          listener(this.parse(row));
        } catch (error) {
          this.log.error("a listener failed on an event", { event: row.id, kind: row.kind, error });
        }
      }
    }
    return rows.length === BATCH;
  }

  /**
   * Places the cursors of new consumers at the present: before the first event appended or delivered since they were
   * added.
   */
  private placeCursors(): void {
    if (this.hasCursors) return;
    const missing = this.deliveries.filter(({ consumer }) => cursorOf(this.db, consumer.name) === undefined);
    if (missing.length > 0)
      this.db.transaction(() => {
        const present = lastEventId(this.db);
        for (const { consumer } of missing) moveCursor(this.db, consumer.name, present);
      });
    this.db.onCommit(() => {
      this.hasCursors = true;
    });
  }

  private parse(row: EventRow): DomainEvent {
    const shape = this.shapes.get(row.kind);
    const stored: unknown = JSON.parse(row.payload);
    const isOld = shape !== undefined && row.version < shape.version;
    const payload = isOld ? shape.upgrade(stored, row.version) : stored;
    return { ...this.envelopeOf(row), version: isOld ? shape.version : row.version, payload } as DomainEvent;
  }

  private envelopeOf(row: EventRow) {
    return {
      id: row.id,
      kind: row.kind as EventKind,
      version: row.version,
      at: row.at,
      principal: {
        userId: row.userId ?? undefined,
        via: (row.via || undefined) as Principal["via"] | undefined,
        tokenId: row.tokenId ?? undefined,
      },
      ownerId: row.ownerId ?? undefined,
      repoId: row.repoId ?? undefined,
      unit: row.unit ?? undefined,
      payload: row.payload,
    };
  }
}
