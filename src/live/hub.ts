import type { Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { NotFound } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";

/**
 * A message for live pages. Its name becomes a DOM event, and it is never swapped into the page: it carries no HTML.
 */
export interface LiveMessage {
  readonly event: string;
  readonly data: string;
  /** The repository unit it is about: subscribers who cannot read that unit do not get it, but stay subscribed. */
  readonly unit?: Unit | undefined;
  /** The repository it is about, on a topic that covers many. */
  readonly repoId?: number | undefined;
}

/**
 * Decides who may listen to topics of a kind; supplied by the area that owns them.
 * @param id the part of the topic's name after the colon
 * @param unit,repoId those of a message about to be sent; neither: whether they may listen at all
 */
export type MayListen = (
  principal: Principal,
  id: string,
  unit: Unit | undefined,
  repoId: number | undefined,
) => boolean;

type About = Pick<LiveMessage, "repoId" | "unit">;

const HEARTBEAT_MS = 15_000;
const MAX_WAITING = 200;
/** How many subscribers are checked in one go after access has changed. */
const SLICE = 100;

interface Subscriber {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly topic: string;
  readonly principal: Principal;
}

/**
 * Server-sent events: who is subscribed to what. Topics are named `kind:id`. No messages are stored: a page that missed
 * some fetches again. Subscribers are checked again before every message and heartbeat (security rules B12 and C2), and
 * as soon as access changes.
 */
export class LiveHub {
  private readonly kinds = new Map<string, MayListen>();
  private readonly byTopic = new Map<string, Set<Subscriber>>();
  private readonly encoder = new TextEncoder();
  private heartbeat: ReturnType<typeof setInterval> | undefined;

  private refresh: (principal: Principal) => Principal | undefined = () => undefined;

  /**
   * Sets how a principal is refreshed; until then nobody may listen.
   * @param refresh returns the current principal; undefined if its account, session or token no longer exists
   */
  refreshWith(refresh: (principal: Principal) => Principal | undefined): void {
    this.refresh = refresh;
  }

  /** Declares who may listen to topics of a kind. Undeclared kinds have no subscribers. */
  declareTopic(kind: string, mayListen: MayListen): void {
    this.kinds.set(kind, mayListen);
  }

  /** @throws NotFound if there is no such topic, or they may not listen to it */
  subscribe(topic: string, principal: Principal): ReadableStream<Uint8Array> {
    if (!this.mayListen(topic, principal)) throw new NotFound();
    let subscriber: Subscriber | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          subscriber = { controller, topic, principal };
          const set = this.byTopic.get(topic) ?? new Set();
          set.add(subscriber);
          this.byTopic.set(topic, set);
          this.heartbeat ??= setInterval(() => this.beat(), HEARTBEAT_MS);
          controller.enqueue(this.encoder.encode(": listening\n\n"));
        },
        cancel: () => {
          if (subscriber) this.remove(subscriber);
        },
      },
      { highWaterMark: MAX_WAITING },
    );
  }

  publish(topic: string, message: LiveMessage): void {
    const set = this.byTopic.get(topic);
    if (!set) return;
    const lines = message.data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
    this.send(set, `event: ${message.event}\n${lines.join("")}\n`, message);
  }

  /**
   * Access has changed: subscribers who may no longer listen are disconnected. Pages reconnect by themselves, and are
   * then checked again.
   * @param change.userId only that account's access changed; null: anyone's
   */
  async accessChanged(change: { readonly userId: number | null }): Promise<void> {
    const asked = [...this.byTopic.values()]
      .flatMap((set) => [...set])
      .filter(({ principal }) => change.userId === null || principal.user?.id === change.userId);
    for (let at = 0; at < asked.length; at += SLICE) {
      if (at > 0) await nextTurn();
      for (const subscriber of asked.slice(at, at + SLICE))
        if (!this.mayListen(subscriber.topic, subscriber.principal)) this.sendAway(subscriber);
    }
  }

  hasListeners(topic: string): boolean {
    return this.byTopic.has(topic);
  }

  /** Ends every stream, so that the server can stop. */
  close(): void {
    clearInterval(this.heartbeat);
    for (const set of [...this.byTopic.values()]) for (const subscriber of [...set]) this.sendAway(subscriber);
  }

  private mayListen(topic: string, principal: Principal, { repoId, unit }: About = {}): boolean {
    const [kind = "", ...id] = topic.split(":");
    const present = this.refresh(principal);
    return present !== undefined && (this.kinds.get(kind)?.(present, id.join(":"), unit, repoId) ?? false);
  }

  private beat(): void {
    for (const set of this.byTopic.values()) this.send(set, ": \n\n");
  }

  private send(set: Set<Subscriber>, text: string, about: About = {}): void {
    const bytes = this.encoder.encode(text);
    const isAboutSome = about.unit !== undefined || about.repoId !== undefined;
    for (const subscriber of [...set]) {
      const { topic, principal, controller } = subscriber;
      if (!this.mayListen(topic, principal)) this.sendAway(subscriber);
      else if (isAboutSome && !this.mayListen(topic, principal, about)) continue;
      // A client that reads too slowly is dropped and reconnects by itself.
      else if ((controller.desiredSize ?? 0) <= 0) {
        this.remove(subscriber);
        controller.error(new Error("too slow"));
      } else controller.enqueue(bytes);
    }
  }

  private sendAway(subscriber: Subscriber): void {
    this.remove(subscriber);
    try {
      subscriber.controller.close();
    } catch {
      // The client has disconnected in the meantime.
    }
  }

  private remove(subscriber: Subscriber): void {
    const set = this.byTopic.get(subscriber.topic);
    set?.delete(subscriber);
    if (set?.size === 0) this.byTopic.delete(subscriber.topic);
    if (this.byTopic.size === 0) {
      clearInterval(this.heartbeat);
      this.heartbeat = undefined;
    }
  }
}
