import type { Unit } from "../access/levels.ts";
import type { Consumer } from "../events/delivery.ts";
import type { DomainEvent, EventKind, EventOf } from "../events/types.ts";
import type { IssueEvent } from "../issues/events.ts";
import type { MailParams } from "../mail/service.ts";
import type { MailedHappening } from "./mails/types.ts";
import type { NotificationSubject, Receiver } from "./types.ts";

/** An event to notify people of, as stored until they are. */
export interface Occasion {
  readonly repoId: number;
  readonly issueId: number | null;
  /** `null`: only mails, no inbox entries. */
  readonly subject: NotificationSubject | null;
  /** The unit that receivers must be allowed to read. */
  readonly unit: Unit | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The actor, who gets no inbox entry. */
  readonly doerId: number | null;
  /** Notifies all subscribers of the item or, without an item, all watchers of the repository … */
  readonly toAll: boolean;
  /** … and, for an item, the watchers of its repository. */
  readonly withWatchers: boolean;
  /** Notified regardless of their subscriptions. */
  readonly to: readonly Receiver[];
  /** The kind of mail; absent: none. */
  readonly what?: MailedHappening | undefined;
  /** A mail composed by an area; its params get `user` and `reason`. */
  readonly mail?: OwnMail | undefined;
  /** The timeline entry with the text; `null`: the item's own text. */
  readonly entryId?: number | null | undefined;
}

export interface OwnMail {
  readonly kind: string;
  readonly params: MailParams;
  /** The same for every attempt. */
  readonly messageId: string;
}

/** An area's conversion of an event to an occasion. Undefined: nobody is notified. */
export type OccasionOf<K extends EventKind> = (event: EventOf<K>) => Occasion | undefined;

/** Turns events into occasions, using the areas' conversions. */
export class Occasions implements Consumer {
  readonly name = "notifications";
  private isQuiet: (item: Pick<IssueEvent, "issueId" | "isPull">) => boolean = () => false;
  private readonly sources = new Map<EventKind, (event: DomainEvent) => Occasion | undefined>();

  constructor(private readonly tell: (occasion: Occasion) => void) {}

  /** Registers an event's conversion, during wiring. */
  add<K extends EventKind>(kind: K, occasionOf: OccasionOf<K>): void {
    if (this.sources.has(kind)) throw new Error(`two areas tell of ${kind}`);
    this.sources.set(kind, (event) => (isOfKind(event, kind) ? occasionOf(event) : undefined));
  }

  /** Registers which items do not notify mere watchers of the repository, except on creation. */
  leaveOutWatchers(isQuiet: (item: Pick<IssueEvent, "issueId" | "isPull">) => boolean): void {
    this.isQuiet = isQuiet;
  }

  handle(event: DomainEvent): void {
    const told = this.sources.get(event.kind)?.(event);
    const occasion = told && this.withoutWatchers(event.kind, told);
    if (occasion && (occasion.toAll || occasion.to.length > 0)) this.tell(occasion);
  }

  private withoutWatchers(kind: EventKind, occasion: Occasion): Occasion {
    const { issueId, subject, withWatchers } = occasion;
    if (!withWatchers || issueId === null || kind === "issue.created") return occasion;
    const isQuiet = this.isQuiet({ issueId, isPull: subject === "pull" });
    return isQuiet ? { ...occasion, withWatchers: false } : occasion;
  }
}

function isOfKind<K extends EventKind>(event: DomainEvent, kind: K): event is DomainEvent & EventOf<K> {
  return event.kind === kind;
}

/** The kind of mail about an event, and the entry with its text. */
export interface Told {
  readonly what: MailedHappening;
  readonly entryId?: number | null;
}

/** An occasion for all subscribers of an item. @param told undefined: no mail is sent */
export function occasionForAll(
  event: DomainEvent & { readonly payload: IssueEvent },
  told: Told | undefined,
): Occasion {
  return { ...occasionFor(event, [], told), toAll: true, withWatchers: true };
}

/** An occasion for some people about an item's event. */
export function occasionFor(
  event: DomainEvent & { readonly payload: IssueEvent },
  to: readonly Receiver[],
  told: Told | undefined,
): Occasion {
  const { isPull, issueId } = event.payload;
  if (event.repoId === undefined) throw new Error(`${event.kind} is of no repository`);
  return {
    repoId: event.repoId,
    issueId,
    subject: isPull ? "pull" : "issue",
    unit: isPull ? "pulls" : "issues",
    at: event.at,
    doerId: event.principal.userId ?? null,
    toAll: false,
    withWatchers: false,
    to,
    ...told,
  };
}
