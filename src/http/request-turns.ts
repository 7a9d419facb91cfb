/** How long requests of one client may start back to back before the event loop turns. */
const TURN_MS = 10;
/** How many queued requests of one client start per turn: a request may take twenty milliseconds. */
const PER_TURN = 1;

/**
 * Lets the event loop turn between the requests of one client. Otherwise a burst of them, on many connections or
 * pipelined on one, would all be answered before anyone else is served.
 */
export class RequestTurns {
  /** When the first request of the current turn started; undefined if none has. */
  private began: number | undefined;
  private readonly heard = new Set<string>();
  private readonly lines = new Map<string, (() => void)[]>();

  /** @returns a promise to await before answering the request; undefined if it may start now */
  enter(client: string): Promise<void> | undefined {
    const now = performance.now();
    const began = this.began ?? this.beginTurn(now);
    const line = this.lines.get(client);
    if (!line && (now - began < TURN_MS || !this.heard.has(client))) {
      this.heard.add(client);
      return undefined;
    }
    return new Promise((resolve) => {
      if (line) line.push(resolve);
      else this.lines.set(client, [resolve]);
    });
  }

  private beginTurn(now: number): number {
    this.began = now;
    this.heard.clear();
    setImmediate(() => this.turned());
    return now;
  }

  private turned(): void {
    this.began = undefined;
    if (this.lines.size > 0) this.beginTurn(performance.now());
    for (const [client, line] of this.lines) {
      this.heard.add(client);
      for (const begin of line.splice(0, PER_TURN)) begin();
      if (line.length === 0) this.lines.delete(client);
    }
  }
}
