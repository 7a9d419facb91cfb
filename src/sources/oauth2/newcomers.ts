import { type Clock, steadyClock } from "../../kernel/clock.ts";
import { randomHex, sha256Hex } from "../../kernel/ids.ts";
import type { OAuth2Source, OutsideIdentity } from "../types.ts";

const MINUTES = 15;
const MAX_WAITING = 2_000;

/** Someone vouched for by a provider who has not yet chosen or created an account here. */
export interface Newcomer {
  readonly source: OAuth2Source;
  readonly identity: OutsideIdentity;
  readonly target: string | undefined;
}

interface Waiting {
  readonly newcomer: Newcomer;
  readonly until: number;
}

/** Newcomers between the provider and the page that asks them. In memory only; the browser holds the secret. */
export class Newcomers {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly clock: Clock = steadyClock) {}

  /** @returns the secret for the browser's cookie */
  begin(newcomer: Newcomer): string {
    const secret = randomHex(32);
    this.waiting.set(sha256Hex(secret), { newcomer, until: this.clock() + MINUTES * 60_000 });
    const oldest = this.waiting.keys().next().value;
    if (this.waiting.size > MAX_WAITING && oldest !== undefined) this.waiting.delete(oldest);
    return secret;
  }

  find(secret: string | undefined): Newcomer | undefined {
    if (!secret || !/^[0-9a-f]{64}$/.test(secret)) return undefined;
    const found = this.waiting.get(sha256Hex(secret));
    return found && found.until > this.clock() ? found.newcomer : undefined;
  }

  end(secret: string): void {
    this.waiting.delete(sha256Hex(secret));
  }
}
