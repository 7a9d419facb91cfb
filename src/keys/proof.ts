import type { User } from "../access/user.ts";
import type { Clock } from "../kernel/clock.ts";
import { hmacSha256 } from "../kernel/ids.ts";

const MINUTE_MS = 60_000;

/**
 * The text that the owner of a key signs to prove ownership (contract identity.md 9.4, 10.4): different every minute
 * and for every account; that of the previous minute is still accepted.
 */
export class ProofTokens {
  constructor(
    private readonly clock: Clock,
    private readonly secret: string,
  ) {}

  current(user: User): string {
    return this.of(user, Math.floor(this.clock() / MINUTE_MS));
  }

  /** The texts currently accepted, with each of these endings. */
  accepted(user: User, ends: readonly string[]): string[] {
    const minute = Math.floor(this.clock() / MINUTE_MS);
    return [minute, minute - 1].flatMap((at) => ends.map((end) => this.of(user, at) + end));
  }

  private of(user: User, minute: number): string {
    const facts = [minute, user.createdAt, user.login.toLowerCase(), user.email.toLowerCase(), user.id];
    return hmacSha256(this.secret, `proof of a key:${facts.join(":")}`, "hex");
  }
}
