import type { Clock } from "./clock.ts";

/** Only good signatures are remembered: whoever has no key here fills nothing. */
const MAX_REMEMBERED = 10_000;

/**
 * Where signatures came from that are still good. Programs may sign the same request twice in a second, with the same
 * signature; whoever records one on its way sends it from elsewhere.
 */
export class SeenSignatures {
  private readonly seen = new Map<string, { readonly address: string; readonly until: number }>();

  constructor(private readonly clock: Clock) {}

  /** @param until seconds since 1970 after which it counts no more @returns whether it may count from there */
  admit(signature: Uint8Array, address: string, until: number): boolean {
    const now = this.clock() / 1000;
    const key = new Bun.CryptoHasher("sha256").update(signature).digest("base64");
    const before = this.seen.get(key);
    if (before && before.until >= now) return before.address === address;
    this.forget(now);
    this.seen.set(key, { address, until });
    return true;
  }

  /** In the order they came: those that are over first, else the oldest. */
  private forget(now: number): void {
    for (const [key, { until }] of this.seen) {
      if (until >= now && this.seen.size < MAX_REMEMBERED) return;
      this.seen.delete(key);
    }
  }
}
