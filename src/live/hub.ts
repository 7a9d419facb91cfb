/** A message for live pages. Named ones become DOM events and are never swapped in: HTML does not travel here. */
export interface LiveMessage {
  readonly event: string;
  readonly data: string;
}

const HEARTBEAT_MS = 15_000;
const MAX_WAITING = 200;

interface Subscriber {
  controller: ReadableStreamDefaultController<Uint8Array>;
  topic: string;
  mayListen(): boolean;
}

/** Server-sent events: who listens to what. Nothing is kept: a page that missed messages fetches again. */
export class LiveHub {
  private readonly byTopic = new Map<string, Set<Subscriber>>();
  private readonly encoder = new TextEncoder();
  private heartbeat: ReturnType<typeof setInterval> | undefined;

  /** @param mayListen asked before every message; a listener who may not any more is sent away (security rule B12) */
  subscribe(topic: string, mayListen: () => boolean): ReadableStream<Uint8Array> {
    let subscriber: Subscriber | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          subscriber = { controller, topic, mayListen };
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
    this.send(set, `event: ${message.event}\n${lines.join("")}\n`);
  }

  /** Ends the streams of a topic. Pages come back by themselves, and then have to be let in again. */
  drop(topic: string): void {
    for (const subscriber of [...(this.byTopic.get(topic) ?? [])]) {
      this.remove(subscriber);
      endStream(subscriber.controller);
    }
  }

  hasListeners(topic: string): boolean {
    return this.byTopic.has(topic);
  }

  /** Ends every stream, so that the server can stop. */
  close(): void {
    clearInterval(this.heartbeat);
    for (const set of [...this.byTopic.values()]) {
      for (const subscriber of [...set]) {
        this.remove(subscriber);
        endStream(subscriber.controller);
      }
    }
  }

  private beat(): void {
    for (const set of this.byTopic.values()) this.send(set, ": \n\n");
  }

  private send(set: Set<Subscriber>, text: string): void {
    const bytes = this.encoder.encode(text);
    for (const subscriber of [...set]) {
      if (!subscriber.mayListen()) {
        this.remove(subscriber);
        endStream(subscriber.controller);
        continue;
      }
      // Who reads too slowly is dropped and comes back by itself.
      if ((subscriber.controller.desiredSize ?? 0) <= 0) {
        this.remove(subscriber);
        subscriber.controller.error(new Error("too slow"));
      } else subscriber.controller.enqueue(bytes);
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

function endStream(controller: Subscriber["controller"]): void {
  try {
    controller.close();
  } catch {
    // The client went away in the meantime.
  }
}
