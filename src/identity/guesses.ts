import { InFlight } from "../kernel/in-flight.ts";
import type { Passwords } from "./passwords.ts";
import type { GuessThrottle } from "./throttle.ts";

/** Where a password attempt comes from. */
export interface Attempt {
  readonly address: string;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** The key for counting attempts: the account, however it was named, or the given name if no account has it. */
export function guessedAccount(user: { readonly id: number } | undefined, name: string): string {
  return user ? `#${user.id}` : name.slice(0, MAX_NAME).toLowerCase();
}

/** No account name is longer, so that little is stored for a wrong name. */
const MAX_NAME = 254;
/** How long a password that was right elsewhere is trusted. */
const ELSEWHERE_MS = 60_000;

/** The only way to check a password: throttled, bounded, and computed once for equal concurrent guesses. */
export class Guesses {
  private readonly underWay = new InFlight<string, boolean>();

  constructor(
    private readonly passwords: Passwords,
    private readonly throttle: GuessThrottle,
  ) {}

  /**
   * @param account what attempts are counted for: an account's id, or a name that no account has
   * @param stored the account's hash; undefined: it costs as much, and is wrong
   * @throws TooManyRequests before anything is computed; Overloaded; AbortError
   */
  async isRight(account: string, password: string, stored: string | undefined, attempt: Attempt): Promise<boolean> {
    if (stored !== undefined && this.passwords.isProven(password, stored)) return true;
    const { address } = attempt;
    // A client that opens ten connections at once makes one attempt.
    const key = this.passwords.fingerprint(account, address, stored ?? "", password);
    for (;;) {
      try {
        return await this.underWay.once(key, () => this.evaluate(account, password, stored, attempt));
      } catch (error) {
        // The connection that closed belonged to another waiter.
        const isAbort = error instanceof DOMException && error.name === "AbortError";
        if (!isAbort || attempt.signal === undefined || attempt.signal.aborted) throw error;
      }
    }
  }

  /**
   * Checks a password that is stored elsewhere. One that was right is trusted for a minute: every request of a git
   * client carries it.
   * @param mark identifies the password; changes whenever the password may have changed
   * @throws TooManyRequests before anyone is asked; what `ask` throws
   */
  async isRightElsewhere(
    account: string,
    password: string,
    mark: string,
    attempt: Attempt,
    ask: () => Promise<boolean>,
  ): Promise<boolean> {
    if (this.passwords.isProven(password, mark)) return true;
    const key = this.passwords.fingerprint(account, attempt.address, mark, password);
    return this.underWay.once(key, async () => {
      const right = await this.counted(account, attempt, ask);
      if (right) this.passwords.markProven(password, mark, ELSEWHERE_MS);
      return right;
    });
  }

  /** Uncounts an attempt: it was right after all. */
  succeeded(account: string, { address }: Attempt): void {
    this.throttle.succeeded(account, address);
  }

  private evaluate(account: string, password: string, stored: string | undefined, attempt: Attempt): Promise<boolean> {
    return this.counted(account, attempt, () => this.passwords.verify(password, stored, attempt));
  }

  private async counted(account: string, attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    const takeBack = this.throttle.begin(account, attempt.address);
    let right: boolean;
    try {
      right = await check();
    } catch (error) {
      takeBack();
      throw error;
    }
    if (right) this.throttle.succeeded(account, attempt.address);
    return right;
  }
}
