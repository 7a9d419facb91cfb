import type { User } from "../access/user.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import { randomHex, sha256Hex } from "../kernel/ids.ts";

const MINUTES = 10;
const MAX_WAITING = 5_000;
/** Wrong answers after which the password is required again. */
const MAX_WRONG = 10;

/** Someone who has passed the first step, but not the second factor yet. */
export interface SecondStep {
  readonly userId: number;
  readonly remember: boolean;
  /** A checked path of this site. */
  readonly target: string | undefined;
  /** The provider used for the first step; undefined: a password. */
  readonly sourceId?: number | undefined;
}

interface Waiting {
  readonly step: SecondStep;
  readonly mark: string;
  readonly until: number;
  wrong: number;
}

/**
 * Sign-ins between their two steps. In memory only: there is no session row before sign-in is complete, and after a
 * restart the first step is repeated. The browser holds the secret, this class its hash.
 */
export class SecondSteps {
  private readonly waiting = new Map<string, Waiting>();

  /** @param passwordMark detects whether the password has changed since the first step */
  constructor(
    private readonly passwordMark: (userId: number) => string,
    private readonly clock: Clock = steadyClock,
  ) {}

  /** @returns the secret for the browser's cookie */
  begin(user: User, how: Omit<SecondStep, "userId">): string {
    const secret = randomHex(32);
    this.waiting.set(sha256Hex(secret), {
      step: { userId: user.id, ...how },
      mark: this.passwordMark(user.id),
      until: this.clock() + MINUTES * 60_000,
      wrong: 0,
    });
    const oldest = this.waiting.keys().next().value;
    if (this.waiting.size > MAX_WAITING && oldest !== undefined) this.waiting.delete(oldest);
    return secret;
  }

  find(secret: string | undefined): SecondStep | undefined {
    if (!secret) return undefined;
    const found = this.waiting.get(sha256Hex(secret));
    if (!found || found.until <= this.clock()) return undefined;
    return found.mark === this.passwordMark(found.step.userId) ? found.step : undefined;
  }

  wrong(secret: string): void {
    const key = sha256Hex(secret);
    const found = this.waiting.get(key);
    if (found && ++found.wrong >= MAX_WRONG) this.waiting.delete(key);
  }

  end(secret: string): void {
    this.waiting.delete(sha256Hex(secret));
  }
}
