import type { Cache, CacheBudget } from "../kernel/cache.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import { hmacSha256, randomBytes } from "../kernel/ids.ts";
import { HashQueue, type HashRequest } from "./hash-queue.ts";

/** Passwords as argon2id, off the event loop, few at a time. */
export class Passwords {
  private readonly queue = new HashQueue();
  /** Proofs of recently verified passwords, so that HTTP Basic does not cost 150 ms per request. */
  private readonly proven: Cache<string, number>;
  private readonly key = randomBytes(32);
  private dummy: string | undefined;

  constructor(
    caches: CacheBudget,
    private readonly clock: Clock = steadyClock,
  ) {
    this.proven = caches.cache(() => 8);
  }

  /** @throws Overloaded */
  async hash(password: string, request: HashRequest = {}): Promise<string> {
    return this.queue.inTurn(request, () => argon2id(password));
  }

  /** Whether the password was verified within the last minutes; costs nothing. */
  isProven(password: string, stored: string): boolean {
    const until = this.proven.get(this.proof(password, stored));
    return until !== undefined && until > this.clock();
  }

  /**
   * Whether the password is right. With `stored` undefined it costs as much and is false, so that unknown names
   * cannot be told apart.
   * @throws Overloaded, AbortError: it was not evaluated
   */
  async verify(password: string, stored: string | undefined, request: HashRequest = {}): Promise<boolean> {
    return this.queue.inTurn(request, async () => {
      if (stored === undefined) {
        this.dummy ??= await argon2id("no one has this password");
        await Bun.password.verify(password, this.dummy);
        return false;
      }
      const right = await Bun.password.verify(password, stored);
      if (right) this.markProven(password, stored, 5 * 60_000);
      return right;
    });
  }

  /** Distinguishes guesses without storing them. */
  fingerprint(...parts: readonly string[]): string {
    return hmacSha256(this.key, parts.join("\0"), "base64");
  }

  private proof(password: string, stored: string): string {
    return this.fingerprint(stored, password);
  }

  /** Remembers that the password was right, for that long. */
  markProven(password: string, stored: string, forMs: number): void {
    this.proven.set(this.proof(password, stored), this.clock() + forMs);
  }
}

function argon2id(password: string): Promise<string> {
  return Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 });
}
