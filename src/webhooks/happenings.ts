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

/** Something that hooks are told of, as it stands in their headers and bodies. */
export interface Happening {
  readonly type: EventType;
  /** Of creations, deletions and pushes: the ref in full, which filters of branches are asked about. */
  readonly ref?: string;
  /** A push that brought no commits: nothing to say in a chat. */
  readonly isEmptyPush?: boolean;
  /** What it is told with; what takes long to find out is named, and found as it is sent. */
  readonly payload: object | PayloadSource;
  /** What the payload has besides where workflows are told of it (contract webhooks.md 6.17). */
  readonly workflowPart?: object;
}

/** What an area makes of one of its events. */
export type HappeningsOf<K extends EventKind> = (
  context: EventContext,
  payload: EventPayloads[K],
) => readonly Happening[];

/** The same for several kinds. */
export type TellersOf = { readonly [K in EventKind]?: HappeningsOf<K> };

/** Something besides hooks that is told what happens, in the same words (Actions). */
export interface HappeningListener {
  /** Whether anything that comes of this event may be of interest: asked before it is made. */
  wants(event: HeardEvent): boolean;
  /** In the transaction of the event: writes rows and enqueues jobs, nothing else. */
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
    /** Sends what waits for a hook, in its order. */
    "webhooks.send": { hookId: number };
  }
}

/**
 * Turns events into deliveries to whichever hooks listen, as areas say: in the transaction of the event, so that what is
 * told is how things were then, whatever follows. Other listeners hear the same.
 */
export class HookHappenings {
  private readonly listeners: HappeningListener[] = [];

  constructor(private readonly parts: HappeningParts) {}

  /** Areas say what their events are to receivers, while they are wired. Asked as the transaction ends, and only when someone listens. */
  add<K extends EventKind>(kind: K, happeningsOf: HappeningsOf<K>): void {
    this.react(kind, (tell) => this.parts.db.beforeCommit(tell), happeningsOf);
  }

  /** The same for what is gone when the transaction ends: it is asked at once. */
  addFarewell<K extends EventKind>(kind: K, happeningsOf: HappeningsOf<K>): void {
    this.react(kind, (tell) => tell(), happeningsOf);
  }

  /** Someone who hears what hooks hear, while areas are wired. */
  listen(listener: HappeningListener): void {
    this.listeners.push(listener);
  }

  private react<K extends EventKind>(kind: K, when: (tell: () => void) => void, happeningsOf: HappeningsOf<K>): void {
    this.parts.outbox.react(kind, (context, payload) =>
      when(() => this.tellSafely({ kind, context, payload }, () => happeningsOf(context, payload))),
    );
  }

  /** Writes down one delivery, whatever the hook listens to. Joins the running transaction, or is one. */
  deliver(hookId: number, type: EventType, payload: object | string): void {
    const { clock, db, jobs } = this.parts;
    const text = typeof payload === "string" ? payload : JSON.stringify(payload, undefined, 2);
    db.transaction(() => {
      insertDelivery(db, { hookId, eventType: type, payload: text }, clock());
      enqueue(jobs, hookId);
    });
  }

  /** What cannot be told does not keep what happened from happening, nor the others from hearing of it. */
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

/** What waits is sent soon; a job that is already waiting sends this, too. */
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
