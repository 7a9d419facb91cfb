import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { EventContext, EventKind, EventPayloads } from "../events/types.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { diskTrouble } from "../kernel/disk.ts";
import type { Log } from "../kernel/log.ts";
import { hearsOf } from "./branch-filter.ts";
import { insertDelivery } from "./deliveries-store.ts";
import { type EventType, hookEventOf } from "./event-names.ts";
import type { PayloadSource } from "./sources.ts";
import { listeningHooks } from "./store.ts";
import { isNative, type Webhook } from "./types.ts";

/** Something hooks are notified of, with the content of headers and bodies. */
export interface Happening {
  readonly type: EventType;
  /** For creations, deletions and pushes: the full ref, for matching branch filters. */
  readonly ref?: string;
  /** A push without commits, about which chats get no message. */
  readonly isEmptyPush?: boolean;
  /** The payload; one that takes long to build is only named, and built on sending. */
  readonly payload: object | PayloadSource;
  /** Additional payload for workflows (contract webhooks.md 6.17). */
  readonly workflowPart?: object;
}

/** Converts one of an area's events. */
export type HappeningsOf<K extends EventKind> = (
  context: EventContext,
  payload: EventPayloads[K],
) => readonly Happening[];

/** The same for several kinds. */
export type TellersOf = { readonly [K in EventKind]?: HappeningsOf<K> };

/** A listener besides hooks that gets the same happenings (Actions). */
export interface HappeningListener {
  /** Whether anything resulting from this event may be of interest: called before it is built. */
  wants(event: HeardEvent): boolean;
  /** In the event's transaction: may only write rows and enqueue jobs. */
  hear(event: HeardEvent, happenings: readonly Happening[]): void;
}

export interface HeardEvent<K extends EventKind = EventKind> {
  readonly kind: K;
  readonly context: EventContext;
  readonly payload: EventPayloads[K];
}

export interface HappeningParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly outbox: Outbox;
  readonly isEnabled: boolean;
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Sends a hook's pending deliveries, in order. */
    "webhooks.send": { hookId: number };
  }
}

/**
 * Turns events into deliveries for the subscribed hooks, using the areas' conversions: in the event's transaction, so
 * that payloads describe the state at that time. Other listeners get the same.
 */
export class HookHappenings {
  private readonly listeners: HappeningListener[] = [];

  constructor(private readonly parts: HappeningParts) {}

  /** Registers an event's conversion, during wiring. Called as the transaction ends, and only if someone listens. */
  add<K extends EventKind>(kind: K, happeningsOf: HappeningsOf<K>): void {
    this.react(kind, (tell) => this.parts.db.beforeCommit(tell), happeningsOf);
  }

  /** The same for what is gone when the transaction ends: called at once. */
  addFarewell<K extends EventKind>(kind: K, happeningsOf: HappeningsOf<K>): void {
    this.react(kind, (tell) => tell(), happeningsOf);
  }

  /** Adds a listener to what hooks are sent, during wiring. */
  listen(listener: HappeningListener): void {
    this.listeners.push(listener);
  }

  private react<K extends EventKind>(kind: K, when: (tell: () => void) => void, happeningsOf: HappeningsOf<K>): void {
    this.parts.outbox.react(kind, (context, payload) =>
      when(() => this.tellSafely({ kind, context, payload }, () => happeningsOf(context, payload))),
    );
  }

  /** Stores one delivery, whatever the hook is subscribed to. Joins the running transaction, or is one. */
  deliver(hookId: number, type: EventType, payload: object | string): void {
    const { clock, db, jobs } = this.parts;
    const text = typeof payload === "string" ? payload : JSON.stringify(payload, undefined, 2);
    db.transaction(() => {
      insertDelivery(db, { hookId, eventType: type, payload: text }, clock());
      enqueue(jobs, hookId);
    });
  }

  /** A failed conversion must neither stop what happened nor affect the other listeners. */
  private tellSafely(event: HeardEvent, happen: () => readonly Happening[]): void {
    const { db, isEnabled, log } = this.parts;
    let made: readonly Happening[] | undefined;
    const happenings = () => {
      made ??= happen();
      return made;
    };
    const tellers = [
      ...(isEnabled ? [() => this.tell(event.context, happenings)] : []),
      ...this.listeners.map((listener) => () => {
        if (listener.wants(event)) listener.hear(event, happenings());
      }),
    ];
    for (const tell of tellers) {
      try {
        db.savepoint(tell);
      } catch (error) {
        if (diskTrouble(error) !== undefined) throw error;
        log.error("listeners could not be told", { kind: event.kind, error });
      }
    }
  }

  private tell({ ownerId, repoId }: EventContext, happen: () => readonly Happening[]): void {
    const { clock, db, jobs } = this.parts;
    const hooks = listeningHooks(db, repoId, ownerId);
    if (hooks.length === 0) return;
    const told = new Set<number>();
    for (const happening of happen()) {
      const wanted = hooks.filter((hook) => listensTo(hook, happening));
      if (wanted.length === 0) continue;
      const { payload, type } = happening;
      const isSource = "source" in payload;
      const text = JSON.stringify(payload, undefined, isSource ? 0 : 2);
      for (const { id: hookId } of wanted) {
        insertDelivery(db, { hookId, eventType: type, ...(isSource ? { source: text } : { payload: text }) }, clock());
        told.add(hookId);
      }
    }
    for (const hookId of told) enqueue(jobs, hookId);
  }
}

/** Sends pending deliveries soon; a job that is already waiting sends this one too. */
export function enqueue(jobs: JobQueue, hookId: number): void {
  jobs.enqueue("webhooks.send", { hookId }, { uniqueKey: `webhook:${hookId}` });
}

function listensTo(hook: Webhook, { isEmptyPush, ref, type }: Happening): boolean {
  const event = hookEventOf(type);
  const isChosen =
    hook.mode === "everything" || (hook.mode === "push" ? event === "push" : hook.events.includes(event));
  if (!isChosen || (isEmptyPush && !isNative(hook.type))) return false;
  return ref === undefined || hearsOf(hook.branchFilter, ref);
}
