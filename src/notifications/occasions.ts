import type { Unit } from "../access/levels.ts";
import type { Consumer } from "../events/delivery.ts";
import type { DomainEvent, EventKind, EventOf } from "../events/types.ts";
import type { IssueEvent } from "../issues/events.ts";
import type { MailParams } from "../mail/service.ts";
import type { MailedHappening } from "./mails/types.ts";
import type { NotificationSubject, Receiver } from "./types.ts";

/** Something that people are told of, as it is stored until they are. */
export interface Occasion {
  readonly repoId: number;
  readonly issueId: number | null;
  /** `null`: mails alone tell of it, no inbox does. */
  readonly subject: NotificationSubject | null;
  /** What one must be allowed to read to be told. */
  readonly unit: Unit | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who did it, and is not told. */
  readonly doerId: number | null;
  /** Everyone who hears of the item, or who watches the repository where there is none … */
  readonly toAll: boolean;
  /** … watchers of its repository, too. */
  readonly withWatchers: boolean;
  /** These are told whatever they said of watching. */
  readonly to: readonly Receiver[];
  /** What mails tell of it; absent: there are none. */
  readonly what?: MailedHappening | undefined;
  /** A mail that an area composes itself; its params get `user` and `reason`. */
  readonly mail?: OwnMail | undefined;
  /** The entry of the timeline with what was written; `null`: the item's own text. */
  readonly entryId?: number | null | undefined;
}

export interface OwnMail {
  readonly kind: string;
  readonly params: MailParams;
  /** The same at every try. */
  readonly messageId: string;
}

/** What an area says of an event: whom it concerns. Undefined: nobody. */
export type OccasionOf<K extends EventKind> = (event: EventOf<K>) => Occasion | undefined;

/** Turns events into occasions, as areas say. */
export class Occasions implements Consumer {
  readonly name = "notifications";
  private isQuiet: (item: Pick<IssueEvent, "issueId" | "isPull">) => boolean = () => false;
  private readonly sources = new Map<EventKind, (event: DomainEvent) => Occasion | undefined>();

  constructor(private readonly tell: (occasion: Occasion) => void) {}

  /** Areas say what their events tell whom, while they are wired. */
  add<K extends EventKind>(kind: K, occasionOf: OccasionOf<K>): void {
    if (this.sources.has(kind)) throw new Error(`two areas tell of ${kind}`);
    this.sources.set(kind, (event) => (isOfKind(event, kind) ? occasionOf(event) : undefined));
  }

  /** An area says of which items those who only watch the repository do not hear, except that they were made. */
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

/** What mails tell of an event, and where what was written stands. */
export interface Told {
  readonly what: MailedHappening;
  readonly entryId?: number | null;
}

/** An occasion of an item's event to everyone who hears of the item. @param told undefined: no mail tells of it */
export function occasionForAll(
  event: DomainEvent & { readonly payload: IssueEvent },
  told: Told | undefined,
): Occasion {
  return { ...occasionFor(event, [], told), toAll: true, withWatchers: true };
}

/** An occasion of an item's event to some. */
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
