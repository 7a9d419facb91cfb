import { clientNetwork } from "../kernel/client-network.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import { TooManyRequests } from "../kernel/errors.ts";

/** Attempts by one address at one account before it must wait; one while the account is under attack. */
const FREE_TRIES = 10;
const FREE_TRIES_UNDER_ATTACK = 1;
/** Attempts at one account, from all addresses, after which it counts as under attack. */
const ATTACKED_AFTER = 100;
/** Attempts by one address at all accounts before it must wait. Many people may share it, so waits stay short. */
const FREE_TRIES_OF_ADDRESS = 60;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15 * 60_000;
const MAX_WAIT_OF_ADDRESS_MS = 10_000;
const FORGET_MS = 60 * 60_000;
const MAX_ENTRIES = 10_000;

interface Tries {
  readonly count: number;
  readonly last: number;
}

/**
 * Slows down guessing. An attempt counts before it is known to be wrong, so that many at once count as many. Waits
 * grow for each pair of account and address, and for an address that tries many accounts; what others do to an
 * account only reduces the free attempts, never to zero, so no one can lock another person out.
 */
export class GuessThrottle {
  private readonly pairs: TryCounter;
  private readonly accounts: TryCounter;
  private readonly addresses: TryCounter;

  constructor(clock: Clock = steadyClock) {
    this.pairs = new TryCounter(clock);
    this.accounts = new TryCounter(clock);
    this.addresses = new TryCounter(clock);
  }

  /**
   * Counts an attempt. @returns undoes the count, for an attempt that was not evaluated after all
   * @throws TooManyRequests while the pair or the address must wait; that attempt is not counted
   */
  begin(account: string, address: string): () => void {
    const network = clientNetwork(address);
    const pair = pairOf(account, network);
    const free = this.accounts.count(account) >= ATTACKED_AFTER ? FREE_TRIES_UNDER_ATTACK : FREE_TRIES;
    const waitMs = Math.max(
      this.pairs.waitMs(pair, free, MAX_WAIT_MS),
      this.addresses.waitMs(network, FREE_TRIES_OF_ADDRESS, MAX_WAIT_OF_ADDRESS_MS),
    );
    if (waitMs > 0) throw new TooManyRequests("identity.too-many-attempts", Math.ceil(waitMs / 1000));
    const counted = [
      [this.pairs, pair],
      [this.accounts, account],
      [this.addresses, network],
    ] as const;
    for (const [counter, key] of counted) counter.add(key);
    return () => {
      for (const [counter, key] of counted) counter.takeBack(key);
    };
  }

  /** The last attempt was right: resets the pair. */
  succeeded(account: string, address: string): void {
    const network = clientNetwork(address);
    this.pairs.forget(pairOf(account, network));
    this.accounts.takeBack(account);
    this.addresses.takeBack(network);
  }
}

/** Attempts by key, forgotten an hour after the last. */
class TryCounter {
  private readonly tries = new Map<string, Tries>();

  constructor(private readonly clock: Clock) {}

  count(key: string): number {
    const entry = this.tries.get(key);
    return entry && this.clock() - entry.last < FORGET_MS ? entry.count : 0;
  }

  waitMs(key: string, free: number, maxMs: number): number {
    const count = this.count(key);
    const last = this.tries.get(key)?.last;
    if (last === undefined || count < free) return 0;
    return Math.max(0, last + Math.min(FIRST_WAIT_MS * 2 ** (count - free), maxMs) - this.clock());
  }

  add(key: string): void {
    const count = this.count(key) + 1;
    this.tries.delete(key);
    this.tries.set(key, { count, last: this.clock() });
    const oldest = this.tries.keys().next().value;
    if (this.tries.size > MAX_ENTRIES && oldest !== undefined) this.tries.delete(oldest);
  }

  takeBack(key: string): void {
    const entry = this.tries.get(key);
    if (!entry) return;
    if (entry.count <= 1) this.tries.delete(key);
    else this.tries.set(key, { ...entry, count: entry.count - 1 });
  }

  forget(key: string): void {
    this.tries.delete(key);
  }
}

const pairOf = (account: string, network: string) => `${account}\0${network}`;
