/** Requests of one client may begin one after the other for so long before the event loop turns. */
const TURN_MS = 10;
/** Of those that had to wait, so many of one client begin in each turn: a request may take twenty milliseconds. */
const PER_TURN = 1;

/**
 * Lets the event loop turn between the requests of one client. Many that come at once, in many connections or one
 * behind the other in one, are otherwise all answered before anybody else is heard.
 */
export class RequestTurns {
  /** When the present turn's first request began; undefined when none has. */
  private began: number | undefined;
  private readonly heard = new Set<string>();
  private readonly lines = new Map<string, (() => void)[]>();

  /** @returns what to wait for before the request is answered; undefined when it may begin now */
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
