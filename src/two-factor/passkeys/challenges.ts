import { equalSecrets, hmacSha256, randomBytes } from "../../kernel/ids.ts";

const MINUTES = 5;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;

/**
 * Challenges for authenticators, without a table: those requested by visitors cost no memory. A challenge is
 *
 *     base64url of nonce (16 bytes), time in milliseconds (6), HMAC-SHA-256 over purpose, nonce and time
 *
 * and valid once, for its purpose, for five minutes. Only used ones are remembered.
 */
export class Challenges {
  private readonly key = randomBytes(32);
  private readonly used = new Map<string, number>();

  constructor(private readonly clock: () => number) {}

  issue(purpose: string): Uint8Array<ArrayBuffer> {
    const facts = randomBytes(NONCE_BYTES + TIME_BYTES);
    facts.writeUIntBE(this.clock(), NONCE_BYTES, TIME_BYTES);
    return Buffer.concat([facts, this.seal(purpose, facts)]);
  }

  /** Whether it was issued here, for that purpose, has not expired and is unused. */
  isGood(purpose: string, challenge: string): boolean {
    const bytes = Buffer.from(challenge, "base64url");
    const facts = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
    if (facts.length < NONCE_BYTES + TIME_BYTES) return false;
    const seal = bytes.subarray(facts.length).toString("hex");
    if (!equalSecrets(seal, this.seal(purpose, facts).toString("hex"))) return false;
    const age = this.clock() - facts.readUIntBE(NONCE_BYTES, TIME_BYTES);
    return age >= 0 && age < MINUTES * 60_000 && !this.used.has(bytes.toString("base64url"));
  }

  /** @returns whether it was valid; it no longer is */
  consume(purpose: string, challenge: string): boolean {
    if (!this.isGood(purpose, challenge)) return false;
    const now = this.clock();
    for (const [old, at] of this.used) if (now - at >= MINUTES * 60_000) this.used.delete(old);
    this.used.set(Buffer.from(challenge, "base64url").toString("base64url"), now);
    return true;
  }

  private seal(purpose: string, facts: Uint8Array): Buffer {
    const text = `${purpose}\0${Buffer.from(facts).toString("hex")}`;
    return Buffer.from(hmacSha256(this.key, text, "hex"), "hex");
  }
}
