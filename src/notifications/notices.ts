import type { Unit } from "../access/levels.ts";
import type { Consumer } from "../events/delivery.ts";
import type { DomainEvent, EventKind, EventOf } from "../events/types.ts";
import type { IssueEvent } from "../issues/events.ts";
import type { NotificationSubject, Receiver } from "./types.ts";

/** Something that people are told of, as it is stored until they are. */
export interface Notice {
  readonly repoId: number;
  readonly issueId: number | null;
  readonly subject: NotificationSubject;
  /** What one must be allowed to read to be told. */
  readonly unit: Unit | null;
  /** Who did it, and is not told. */
  readonly doerId: number | null;
  /** Everyone who hears of the item … */
  readonly toAll: boolean;
  /** … watchers of its repository, too. */
  readonly withWatchers: boolean;
  /** These are told whatever they said of watching. */
  readonly to: readonly Receiver[];
}

/** What an area says of an event: whom it concerns. Undefined: nobody. */
export type NoticeOf<K extends EventKind> = (event: EventOf<K>) => Notice | undefined;

/** Turns events into notices, as areas say. */
export class Notices implements Consumer {
  readonly name = "notifications";
  private readonly sources = new Map<EventKind, NoticeOf<EventKind>>();

  constructor(private readonly tell: (notice: Notice) => void) {}

  /** Areas say what their events tell whom, while they are wired. */
  add<K extends EventKind>(kind: K, noticeOf: NoticeOf<K>): void {
    if (this.sources.has(kind)) throw new Error(`two areas tell of ${kind}`);
    // The kind of an event is the key under which its source stands.
    this.sources.set(kind, noticeOf as unknown as NoticeOf<EventKind>);
  }

  handle(event: DomainEvent): void {
    const notice = this.sources.get(event.kind)?.(event);
    if (notice && (notice.toAll || notice.to.length > 0)) this.tell(notice);
  }
}

/** A notice of an item's event to everyone who hears of the item. */
export function noticeToAll(event: DomainEvent & { readonly payload: IssueEvent }, withWatchers = true): Notice {
  return { ...noticeTo(event, []), toAll: true, withWatchers };
}

/** A notice of an item's event to some. */
export function noticeTo(event: DomainEvent & { readonly payload: IssueEvent }, to: readonly Receiver[]): Notice {
  const { isPull, issueId } = event.payload;
  if (event.repoId === undefined) throw new Error(`${event.kind} is of no repository`);
  return {
    repoId: event.repoId,
    issueId,
    subject: isPull ? "pull" : "issue",
    unit: isPull ? "pulls" : "issues",
    doerId: event.principal.userId ?? null,
    toAll: false,
    withWatchers: false,
    to,
  };
}
