import type { Clock } from "../../kernel/clock.ts";
import { Unauthorised } from "../../kernel/errors.ts";
import { equalSecrets, hmacSha256 } from "../../kernel/ids.ts";

const LIFETIME_MS = 60 * 60_000;

/** Proves that the server issued an address for a given purpose, valid until a given time. */
export interface Signature {
  readonly sig: string;
  /** Seconds since 1970. */
  readonly expires: string;
}

/** Addresses that are their own credential, for an hour (contract actions.md 7.3 and 8.9). */
export class ArtifactSignatures {
  constructor(
    private readonly secret: string,
    private readonly clock: Clock,
  ) {}

  /** @param what everything the address states, in a fixed order */
  sign(what: readonly string[]): Signature {
    const expires = String(Math.floor((this.clock() + LIFETIME_MS) / 1000));
    return { sig: this.signatureOf(what, expires), expires };
  }

  /** @throws Unauthorised if it was issued for something else, or has expired */
  require(what: readonly string[], { expires, sig }: Signature): void {
    if (!equalSecrets(this.signatureOf(what, expires), sig)) throw new Unauthorised("actions.bad-signature");
    if (Number(expires) * 1000 < this.clock()) throw new Unauthorised("actions.signature-over");
  }

  /** Each part is prefixed with its length, so that nothing can be moved from one into the next. */
  private signatureOf(what: readonly string[], expires: string): string {
    const parts = ["artifact", expires, ...what].flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(bytes.byteLength));
      return [length, bytes];
    });
    return hmacSha256(this.secret, Buffer.concat(parts), "base64url");
  }
}
