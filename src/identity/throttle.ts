import { TooManyRequests } from "../kernel/errors.ts";

const FREE_TRIES = 10;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15 * 60_000;
const FORGET_MS = 60 * 60_000;
const MAX_ENTRIES = 10_000;

/** Slows down guessing: growing waits for each pair of account and address, so no one can lock another person out. */
export class GuessThrottle {
  private readonly failures = new Map<string, { count: number; last: number }>();

  constructor(private readonly clock: () => number) {}

  /** @throws TooManyRequests while the pair must wait */
  check(account: string, address: string): void {
    const entry = this.failures.get(key(account, address));
    if (!entry || entry.count < FREE_TRIES) return;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (entry.count - FREE_TRIES), MAX_WAIT_MS);
    const left = entry.last + wait - this.clock();
    if (left > 0) throw new TooManyRequests("too many failed attempts, try again later", Math.ceil(left / 1000));
  }

  failed(account: string, address: string): void {
    const now = this.clock();
    const entry = this.failures.get(key(account, address));
    const count = entry && now - entry.last < FORGET_MS ? entry.count + 1 : 1;
    this.failures.delete(key(account, address));
    this.failures.set(key(account, address), { count, last: now });
    if (this.failures.size > MAX_ENTRIES) {
      const oldest = this.failures.keys().next().value;
      if (oldest !== undefined) this.failures.delete(oldest);
    }
  }

  succeeded(account: string, address: string): void {
    this.failures.delete(key(account, address));
  }
}

/** No account is called longer, so that what is remembered of a wrong name is small. */
const MAX_NAME = 254;
const key = (account: string, address: string) => `${account.slice(0, MAX_NAME).toLowerCase()}\0${address}`;
