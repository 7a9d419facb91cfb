import { Overloaded } from "../kernel/errors.ts";
import type { ParsedJson } from "./json.ts";

/** What request bodies may take, all together. */
export interface BodyLimits {
  /** Bytes of all bodies that are in memory at the same time. */
  readonly maxBytes: number;
  /** Seconds a body may take to arrive, besides one for each `BYTES_A_SECOND` of it. */
  readonly seconds: number;
  /** Parses a JSON text off the main thread; the text must not be used afterwards. */
  parseLarge(text: Uint8Array): Promise<ParsedJson>;
}

/** A body may be this slow for as long as it lasts. */
const BYTES_A_SECOND = 64 * 1024;
/** One address may hold this share of the memory, so that one slow sender leaves room for others. */
const SHARE_OF_AN_ADDRESS = 0.5;
const RETRY_AFTER_SECONDS = 2;

/** Counts the bytes of all request bodies that are in memory. */
export class BodyMemory {
  private usedBytes = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(readonly limits: BodyLimits) {}

  /** The part one request will take; to be given back when it has been answered. */
  open(address: string): BodyShare {
    return new BodyShare(this, address);
  }

  /** @throws Overloaded no room for so many bytes more */
  take(address: string, bytes: number): void {
    const held = (this.byAddress.get(address) ?? 0) + bytes;
    // Whoever is alone may use it all: a single large body must fit.
    const alone = held - bytes === this.usedBytes;
    const mine = alone ? this.limits.maxBytes : this.limits.maxBytes * SHARE_OF_AN_ADDRESS;
    if (this.usedBytes + bytes > this.limits.maxBytes || held > mine)
      throw new Overloaded("request.body-memory-full", RETRY_AFTER_SECONDS);
    this.usedBytes += bytes;
    this.byAddress.set(address, held);
  }

  giveBack(address: string, bytes: number): void {
    this.usedBytes -= bytes;
    const held = (this.byAddress.get(address) ?? 0) - bytes;
    if (held > 0) this.byAddress.set(address, held);
    else this.byAddress.delete(address);
  }
}

/** What the body of one request holds of the memory. */
export class BodyShare {
  private bytes = 0;
  private closed = false;
  private read: Promise<unknown> | undefined;
  private confirm: (() => void) | undefined;

  constructor(
    private readonly memory: BodyMemory,
    private readonly address: string,
  ) {}

  /** @throws Overloaded */
  take(bytes: number): void {
    if (this.closed) return;
    this.memory.take(this.address, bytes);
    this.bytes += bytes;
  }

  /** @param confirm is asked once the whole body is there, and throws where the request may not go on */
  onReceived(confirm: () => void): void {
    this.confirm = confirm;
  }

  /** The whole body is there. @throws what was decided when it began does not hold any more */
  received(): void {
    this.confirm?.();
  }

  /** What the body says: read when it is first asked for, and the same for whoever asks again. */
  once<T>(read: () => Promise<T>): Promise<T> {
    this.read ??= read();
    return this.read as Promise<T>;
  }

  /** Whether whoever asks again is told what the body says. */
  get isKnown(): boolean {
    return this.read !== undefined;
  }

  /** Milliseconds a body may have taken when so many bytes of it have arrived. */
  allowedMs(receivedBytes: number): number {
    return (this.memory.limits.seconds + receivedBytes / BYTES_A_SECOND) * 1000;
  }

  parseLarge(text: Uint8Array): Promise<ParsedJson> {
    return this.memory.limits.parseLarge(text);
  }

  /** The request has been answered. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.bytes > 0) this.memory.giveBack(this.address, this.bytes);
  }
}
