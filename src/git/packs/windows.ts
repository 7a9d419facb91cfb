import { readSync } from "node:fs";
import { CorruptObject } from "../errors.ts";
import { Inflater } from "../objects/inflate.ts";
import { Scratch } from "./scratch.ts";

/** Adjacent entries are often read together (commits above all), so files are read in pieces of this size. */
export const WINDOW_BYTES = 16 * 1024;
/** Objects that inflate to more than this would evict all windows, so they bypass them. */
const AROUND_BYTES = 256 * 1024;

/** An open file to read through windows. `serial` identifies the file for the lifetime of the windows. */
export interface WindowedFile {
  readonly fd: number;
  readonly serial: number;
  readonly sizeBytes: number;
}

/**
 * Reads files through a bounded set of windows and inflates from them. Synchronous and not re-entrant: a window's
 * bytes are valid until the next call.
 */
export class Windows {
  /** Maps a window's key to its index in `buffers`; `keys` is the inverse. */
  private readonly slots = new Map<number, number>();
  private readonly buffers: Uint8Array[] = [];
  private readonly keys: number[] = [];
  /** Windows used since the hand last passed are spared once (the clock approximation of LRU). */
  private readonly used: Uint8Array;
  private hand = 0;
  /** Buffers for lent objects: bases and results of deltas alternate between them. */
  readonly lent = new Scratch();
  readonly lentNext = new Scratch();
  private readonly inflater = new Inflater();
  private readonly around = new Uint8Array(64 * 1024);
  private readonly small = new Uint8Array(32 * 1024);
  private readonly large = new Scratch();
  private readonly spare = new Uint8Array(1);
  private serials = 0;

  constructor(private readonly capacity = 128) {
    this.used = new Uint8Array(capacity);
  }

  nextSerial(): number {
    return this.serials++;
  }

  /** The window containing `position`, at `position % WINDOW_BYTES`; too short for that beyond the end of the file. */
  holding(file: WindowedFile, position: number): Uint8Array {
    return this.at(file, position);
  }

  /** Copies bytes at `position` to `target`; returns the number copied. */
  copy(file: WindowedFile, position: number, target: Uint8Array): number {
    let done = 0;
    while (done < target.length && position + done < file.sizeBytes) {
      const window = this.at(file, position + done);
      const start = (position + done) % WINDOW_BYTES;
      const length = Math.min(window.length - start, target.length - done);
      if (length <= 0) break;
      for (let i = 0; i < length; i++) target[done + i] = window[start + i]!;
      done += length;
    }
    return done;
  }

  /**
   * Inflates the zlib stream at `position` to exactly `sizeBytes` bytes.
   * @throws CorruptObject when it is not a zlib stream, is truncated or has another size
   */
  inflate(file: WindowedFile, position: number, sizeBytes: number): Uint8Array {
    if (sizeBytes < this.small.length) return this.inflateLent(file, position, sizeBytes).slice(0, sizeBytes);
    // Not zeroed: the stream fills all of it or is rejected.
    const out = Bun.allocUnsafe(sizeBytes);
    this.inflateInto(file, position, out, 0, sizeBytes);
    return out;
  }

  /** As `inflate`, but the bytes are valid only until the next call, and more bytes may follow them. */
  inflateLent(file: WindowedFile, position: number, sizeBytes: number): Uint8Array {
    const out = sizeBytes < this.small.length ? this.small : this.large.of(sizeBytes);
    this.inflateInto(file, position, out, 0, sizeBytes, out.length);
    return out;
  }

  /**
   * As `inflate`, into `out` at `outStart`.
   * @param outEnd limit for writes to `out`: spare space after the object saves time (`SPARE_BYTES`)
   */
  inflateInto(
    file: WindowedFile,
    position: number,
    out: Uint8Array,
    outStart: number,
    sizeBytes: number,
    outEnd = outStart + sizeBytes,
  ): void {
    const { inflater } = this;
    inflater.reset();
    let made = 0;
    let from = position;
    while (!inflater.ended) {
      let bytes: Uint8Array;
      let start = 0;
      if (sizeBytes > AROUND_BYTES) {
        bytes = this.around.subarray(0, readSync(file.fd, this.around, 0, this.around.length, from));
      } else {
        bytes = this.at(file, from);
        start = from % WINDOW_BYTES;
      }
      if (start >= bytes.length) throw new CorruptObject("zlib stream is cut short");
      // With no space left, requesting one more byte checks the end of the stream and its checksum.
      if (outStart + made < outEnd) inflater.push(bytes, start, bytes.length, out, outStart + made, outEnd);
      else inflater.push(bytes, start, bytes.length, this.spare, 0, 1);
      made += inflater.produced;
      from += inflater.consumed;
      if (made > sizeBytes) throw new CorruptObject("zlib stream is longer than its object");
    }
    if (made < sizeBytes) throw new CorruptObject("zlib stream is shorter than its object");
  }

  /** Inflates at most `out.length` bytes from the start of the stream at `position`; returns how many. */
  inflateStart(file: WindowedFile, position: number, out: Uint8Array): number {
    const { inflater } = this;
    inflater.reset();
    let made = 0;
    let from = position;
    while (made < out.length && from < file.sizeBytes) {
      const window = this.at(file, from);
      const start = from % WINDOW_BYTES;
      if (start >= window.length) break;
      inflater.push(window, start, window.length, out, made, out.length);
      made += inflater.produced;
      from += inflater.consumed;
      if (inflater.ended) break;
    }
    return made;
  }

  forget(file: WindowedFile): void {
    for (const key of this.slots.keys()) if (Math.floor(key / 2 ** 32) === file.serial) this.slots.delete(key);
  }

  close(): void {
    this.slots.clear();
    this.buffers.length = 0;
    this.inflater.close();
  }

  private at(file: WindowedFile, position: number): Uint8Array {
    const number = Math.floor(position / WINDOW_BYTES);
    const key = file.serial * 2 ** 32 + number;
    const cached = this.slots.get(key);
    if (cached !== undefined) {
      this.used[cached] = 1;
      return this.buffers[cached]!;
    }
    const slot = this.freeSlot();
    let buffer = this.buffers[slot];
    // A window at the end of a file is shorter; its buffer is not worth reusing.
    if (buffer?.length !== WINDOW_BYTES) buffer = new Uint8Array(WINDOW_BYTES);
    const read = readSync(file.fd, buffer, 0, WINDOW_BYTES, number * WINDOW_BYTES);
    const window = read === WINDOW_BYTES ? buffer : buffer.subarray(0, read);
    this.buffers[slot] = window;
    this.keys[slot] = key;
    this.used[slot] = 1;
    this.slots.set(key, slot);
    return window;
  }

  private freeSlot(): number {
    if (this.buffers.length < this.capacity) return this.buffers.length;
    for (;;) {
      const slot = this.hand;
      this.hand = (slot + 1) % this.capacity;
      if (this.used[slot] === 1) {
        this.used[slot] = 0;
        continue;
      }
      const key = this.keys[slot]!;
      // Forgetting a file removes its keys, so another slot may hold this key by now.
      if (this.slots.get(key) === slot) this.slots.delete(key);
      return slot;
    }
  }
}
