import { hmacSha256, randomBytes } from "../kernel/ids.ts";

/**
 * Passwords as argon2id, off the event loop. At most two hashes run at a time: each takes 64 MiB,
 * and a flood of sign-ins must not take the memory of a home server.
 */
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Proofs of passwords that were right lately, so that HTTP Basic does not cost 150 ms a request. */
  private readonly proven = new Map<string, number>();
  private readonly key = randomBytes(32);
  private dummy: string | undefined;

  constructor(private readonly clock: () => number) {}

  async hash(password: string): Promise<string> {
    return this.inTurn(() => Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 65_536, timeCost: 2 }));
  }

  /** Whether the password is right. With `stored` undefined it costs as much and is false: an unknown name must not be told apart. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    if (stored === undefined) {
      this.dummy ??= await this.hash("no one has this password");
      await this.inTurn(() => Bun.password.verify(password, this.dummy ?? ""));
      return false;
    }
    const proof = hmacSha256(this.key, `${stored}\0${password}`, "base64");
    const until = this.proven.get(proof);
    if (until !== undefined && until > this.clock()) return true;
    const right = await this.inTurn(() => Bun.password.verify(password, stored));
    if (right) this.remember(proof);
    return right;
  }

  private remember(proof: string): void {
    if (this.proven.size >= 100) {
      const oldest = this.proven.keys().next().value;
      if (oldest !== undefined) this.proven.delete(oldest);
    }
    this.proven.set(proof, this.clock() + 5 * 60_000);
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= 2) await new Promise<void>((go) => this.waiting.push(go));
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
      this.waiting.shift()?.();
    }
  }
}
