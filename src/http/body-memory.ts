import { Overloaded } from "../kernel/errors.ts";
import type { ParsedJson } from "./json.ts";

/** Limits shared by all request bodies. */
export interface BodyLimits {
  /** Total bytes of request bodies in memory at any one time. */
  readonly maxBytes: number;
  /** Seconds a body may take to arrive, plus one for each `BYTES_A_SECOND` received. */
  readonly seconds: number;
  /** Parses JSON off the main thread; `text` must not be used afterwards. */
  parseLarge(text: Uint8Array): Promise<ParsedJson>;
}

/** The minimum sustained rate of a body. */
const BYTES_A_SECOND = 64 * 1024;
/** The share of the memory a single address may hold, so that one slow sender leaves room for others. */
const SHARE_OF_AN_ADDRESS = 0.5;
const RETRY_AFTER_SECONDS = 2;

/** Counts the bytes of all request bodies in memory. */
export class BodyMemory {
  private usedBytes = 0;
  private readonly byAddress = new Map<string, number>();

  constructor(readonly limits: BodyLimits) {}

  /** Opens the share of one request; it must be closed once the request has been answered. */
  open(address: string): BodyShare {
    return new BodyShare(this, address);
  }

  /** @throws Overloaded if there is no room for that many more bytes */
  take(address: string, bytes: number): void {
    const held = (this.byAddress.get(address) ?? 0) + bytes;
    // A client that is alone may use all of it: a single large body must fit.
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

/** The memory held by the body of one request. */
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

  /** @param confirm called once the whole body has arrived; throws if the request may not proceed */
  onReceived(confirm: () => void): void {
    this.confirm = confirm;
  }

  /** Marks the body as complete. @throws if what was decided at the start of the request no longer holds */
  received(): void {
    this.confirm?.();
  }

  /** Reads the body on the first call; later calls get the same result. */
  once<T>(read: () => Promise<T>): Promise<T> {
    this.read ??= read();
    return this.read as Promise<T>;
  }

  /** Whether the body has been read, so that another call can get its content. */
  get isKnown(): boolean {
    return this.read !== undefined;
  }

  /** Returns how many milliseconds a body may have taken by the time this many bytes have arrived. */
  allowedMs(receivedBytes: number): number {
    return (this.memory.limits.seconds + receivedBytes / BYTES_A_SECOND) * 1000;
  }

  parseLarge(text: Uint8Array): Promise<ParsedJson> {
    return this.memory.limits.parseLarge(text);
  }

  /** Releases the memory once the request has been answered. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.bytes > 0) this.memory.giveBack(this.address, this.bytes);
  }
}
