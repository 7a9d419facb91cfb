import type { Unit } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { NotFound } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";

/** A message for live pages. Named ones become DOM events and are never swapped in: HTML does not travel here. */
export interface LiveMessage {
  readonly event: string;
  readonly data: string;
  /** The unit of the repository it tells of: who may not read that unit does not get it, and goes on listening. */
  readonly unit?: Unit | undefined;
  /** The repository it tells of, on a topic that is about many. */
  readonly repoId?: number | undefined;
}

/**
 * Who may listen to topics of a kind; given by the area that owns them.
 * @param id what follows the colon of the topic's name
 * @param unit,repoId of a message that is about to be sent; neither: whether they may listen at all
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
/** Listeners that are asked about in one go, when access has changed. */
const SLICE = 100;

interface Subscriber {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly topic: string;
  readonly principal: Principal;
}

/**
 * Server-sent events: who listens to what. Topics are named `kind:id`. Nothing is kept: a page that missed messages
 * fetches again. Before every message and heartbeat a listener is asked about again (security rules B12 and C2), and
 * when access changes at once.
 */
export class LiveHub {
  private readonly kinds = new Map<string, MayListen>();
  private readonly byTopic = new Map<string, Set<Subscriber>>();
  private readonly encoder = new TextEncoder();
  private heartbeat: ReturnType<typeof setInterval> | undefined;

  private refresh: (principal: Principal) => Principal | undefined = () => undefined;

  /**
   * Says how a principal is looked up again; until then no one may listen.
   * @param refresh the principal as it is now; undefined: its account, session or token is no more
   */
  refreshWith(refresh: (principal: Principal) => Principal | undefined): void {
    this.refresh = refresh;
  }

  /** Says who may listen to topics of a kind. A kind that no one declared has no listeners. */
  declareTopic(kind: string, mayListen: MayListen): void {
    this.kinds.set(kind, mayListen);
  }

  /** @throws NotFound no such topic, or not for them */
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
   * Access has changed: listeners who may not listen any more are sent away. Pages come back by themselves, and then
   * have to be let in again.
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
      // Who reads too slowly is dropped and comes back by itself.
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
      // The client went away in the meantime.
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
