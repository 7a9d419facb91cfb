import { clientNetwork } from "../kernel/client-network.ts";
import { Overloaded } from "../kernel/errors.ts";

/** What a password is hashed for. */
export interface HashRequest {
  /** Absent on the command line. */
  readonly address?: string | undefined;
  /** Fires when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Each hash takes 64 MiB and a seventh of a second. */
const MAX_RUNNING = 2;
const MAX_WAITING = 32;
/** Per address; requests from others get a place within half a second. */
const MAX_WAITING_OF_ADDRESS = 8;
const RETRY_AFTER_SECONDS = 2;

/** Limits how many hashes run and wait, so that a flood of sign-ins exhausts neither memory nor anyone else's place. */
export class HashQueue {
  private running = 0;
  private readonly waiting: { readonly network: string; go(): void }[] = [];

  /** @throws Overloaded too many wait; AbortError the signal fired before its turn */
  async inTurn<T>({ address = "", signal }: HashRequest, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.running >= MAX_RUNNING) await this.turn(clientNetwork(address), signal);
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Pass the place on to the next waiter.
      if (next) next.go();
      else this.running--;
    }
  }

  private turn(network: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.waiting.filter((other) => other.network === network).length;
    if (this.waiting.length >= MAX_WAITING || own >= MAX_WAITING_OF_ADDRESS)
      throw new Overloaded("identity.too-many-sign-ins", RETRY_AFTER_SECONDS);
    return new Promise((resolve, reject) => {
      const place = {
        network,
        go: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(place), 1);
        reject(new DOMException("the client went away", "AbortError"));
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.waiting.push(place);
    });
  }
}
