import { InFlight } from "../kernel/in-flight.ts";
import type { Passwords } from "./passwords.ts";
import type { GuessThrottle } from "./throttle.ts";

/** From where a password is tried. */
export interface Attempt {
  readonly address: string;
  /** Fires when no one waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** What tries at an account are counted for, however it was named; at no account, what was named instead of one. */
export function guessedAccount(user: { readonly id: number } | undefined, name: string): string {
  return user ? `#${user.id}` : name.slice(0, MAX_NAME).toLowerCase();
}

/** No account is called longer, so that what is remembered of a wrong name is small. */
const MAX_NAME = 254;
/** How long a password that was right elsewhere is taken to be. */
const ELSEWHERE_MS = 60_000;

/** The one way to find out whether a password is right: throttled, bounded, and computed once for equal guesses at a time. */
export class Guesses {
  private readonly underWay = new InFlight<string, boolean>();

  constructor(
    private readonly passwords: Passwords,
    private readonly throttle: GuessThrottle,
  ) {}

  /**
   * @param account what tries are counted for: an account's id, or the name of none
   * @param stored the account's hash; undefined: it costs as much, and is wrong
   * @throws TooManyRequests before anything is computed; Overloaded; AbortError
   */
  async isRight(account: string, password: string, stored: string | undefined, attempt: Attempt): Promise<boolean> {
    if (stored !== undefined && this.passwords.isProven(password, stored)) return true;
    const { address } = attempt;
    // A client that opens ten connections at once tries once.
    const key = this.passwords.fingerprint(account, address, stored ?? "", password);
    for (;;) {
      try {
        return await this.underWay.once(key, () => this.evaluate(account, password, stored, attempt));
      } catch (error) {
        // Another one's connection was the one that closed.
        const isAbort = error instanceof DOMException && error.name === "AbortError";
        if (!isAbort || attempt.signal === undefined || attempt.signal.aborted) throw error;
      }
    }
  }

  /**
   * The same for a password that is kept elsewhere. One that was right is not asked for again for a minute: every
   * request of a git client brings it.
   * @param mark what the password is of; another one after whatever makes it another password
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

  /** What was counted as a try was right after all. */
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
