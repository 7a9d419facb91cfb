import type { Database } from "../db/database.ts";
import type { Consumer } from "../events/delivery.ts";
import type { Outbox } from "../events/outbox.ts";
import type { DomainEvent, EventContext, EventKind, EventOf, EventPayloads } from "../events/types.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
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
}

/** What an area makes of one of its events. Asked only when somebody listens, after the commit. */
export type HappeningsOf<K extends EventKind> = (event: EventOf<K>) => readonly Happening[];

/** The same in the event's own transaction, of what will not be there afterwards. */
export type FarewellsOf<K extends EventKind> = (
  context: EventContext,
  payload: EventPayloads[K],
) => readonly Happening[];

export interface HappeningParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly isEnabled: boolean;
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Sends what waits for a hook, in its order. */
    "webhooks.send": { hookId: number };
  }
}

/** Turns events into deliveries to whichever hooks listen, as areas say. */
export class HookHappenings implements Consumer {
  readonly name = "webhooks";
  private readonly sources = new Map<EventKind, (event: DomainEvent) => readonly Happening[]>();

  constructor(private readonly parts: HappeningParts) {
    if (parts.isEnabled) parts.outbox.add(this);
  }

  /** Areas say what their events are to receivers, while they are wired. */
  add<K extends EventKind>(kind: K, happeningsOf: HappeningsOf<K>): void {
    if (this.sources.has(kind)) throw new Error(`two areas tell hooks of ${kind}`);
    this.sources.set(kind, (event) => (isOfKind(event, kind) ? happeningsOf(event) : []));
  }

  /** For what is gone after the event: it is written down before. */
  addFarewell<K extends EventKind>(kind: K, farewellsOf: FarewellsOf<K>): void {
    if (!this.parts.isEnabled) return;
    this.parts.outbox.react(kind, (context, payload) =>
      this.tell(context.repoId, context.ownerId, () => farewellsOf(context, payload)),
    );
  }

  handle(event: DomainEvent): void {
    const source = this.sources.get(event.kind);
    if (source) this.tell(event.repoId, event.ownerId, () => source(event));
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

  private tell(repoId: number | undefined, ownerId: number | undefined, happen: () => readonly Happening[]): void {
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

function isOfKind<K extends EventKind>(event: DomainEvent, kind: K): event is DomainEvent & EventOf<K> {
  return event.kind === kind;
}
