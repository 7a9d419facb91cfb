import type { Clock } from "./clock.ts";

/** Only valid signatures are remembered, so a client without a key here cannot fill this up. */
const MAX_REMEMBERED = 10_000;

/**
 * Remembers the address each still valid signature came from. A program may sign the same request twice within a second
 * and get the same signature; an attacker who intercepts one would replay it from another address.
 */
export class SeenSignatures {
  private readonly seen = new Map<string, { readonly address: string; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** @param until seconds since 1970 after which it expires @returns whether it may be used from that address */
  admit(signature: Uint8Array, address: string, until: number): boolean {
    const now = this.clock() / 1000;
    const key = new Bun.CryptoHasher("sha256").update(signature).digest("base64");
    const before = this.seen.get(key);
    if (before && before.until >= now) return before.address === address;
    this.forget(now);
    this.seen.set(key, { address, until });
    return true;
  }

  /** In order of arrival: removes expired entries, otherwise the oldest. */
  private forget(now: number): void {
    for (const [key, { until }] of this.seen) {
      if (until >= now && this.seen.size < MAX_REMEMBERED) return;
      this.seen.delete(key);
    }
  }
}
