import type { ObjectFormat } from "./format.ts";
import { hexDigit } from "./hash.ts";
import type { Oid } from "./types.ts";

/**
 * A set of ids with a small number ("slot") and a byte of flags for each, at about 33 bytes per id (45 for SHA-256)
 * where a `Set` of strings takes 150. An id is five 32-bit words, eight for SHA-256; the table uses linear probing. The
 * hash mixes all words with a secret: a sender chooses the ids in trees and must not be able to force collisions.
 */
export class OidTable {
  /** Number of ids; slots run from 0 to `size` - 1. */
  size = 0;
  flags: Uint8Array;
  private words: Uint32Array;
  private table: Uint32Array;
  private mask: number;
  private readonly secret = crypto.getRandomValues(new Uint32Array(1))[0]!;
  private readonly scratch: DataView;
  /** Recently added ids (five words and slot + 1 each), at a position given by the id's first word. */
  private readonly recent: Uint32Array;
  /** Words per id. */
  private readonly stride: number;
  private readonly isLong: boolean;

  constructor(format: ObjectFormat, expected = 1024) {
    const capacity = Math.max(16, expected);
    this.stride = format.oidBytes / 4;
    this.isLong = this.stride > 5;
    this.recent = new Uint32Array(this.isLong || expected < RECENT ? 8 : RECENT * 8);
    this.scratch = new DataView(new ArrayBuffer(format.oidBytes));
    this.words = new Uint32Array(capacity * this.stride);
    this.flags = new Uint8Array(capacity);
    const rows = 2 ** Math.ceil(Math.log2(capacity * 2));
    this.table = new Uint32Array(rows);
    this.mask = rows - 1;
  }

  /** Slot of the id whose bytes are at `at`; -1 when it is not in the set. */
  find(bytes: DataView, at: number): number {
    if (this.isLong) return this.findLong(bytes, at);
    const { words, table, mask } = this;
    const w0 = bytes.getUint32(at);
    const w1 = bytes.getUint32(at + 4);
    const w2 = bytes.getUint32(at + 8);
    const w3 = bytes.getUint32(at + 12);
    const w4 = bytes.getUint32(at + 16);
    for (let row = mix(this.secret, w0, w1, w2, w3, w4) & mask; ; row = (row + 1) & mask) {
      const slot = table[row]! - 1;
      if (slot < 0) return -1;
      const w = slot * 5;
      if (words[w] === w0 && words[w + 1] === w1 && words[w + 2] === w2 && words[w + 3] === w3 && words[w + 4] === w4)
        return slot;
    }
  }

  private findLong(bytes: DataView, at: number): number {
    const { words, table, mask } = this;
    const w0 = bytes.getUint32(at);
    const w1 = bytes.getUint32(at + 4);
    const w2 = bytes.getUint32(at + 8);
    const w3 = bytes.getUint32(at + 12);
    const w4 = bytes.getUint32(at + 16);
    const w5 = bytes.getUint32(at + 20);
    const w6 = bytes.getUint32(at + 24);
    const w7 = bytes.getUint32(at + 28);
    const hash = mixMore(mix(this.secret, w0, w1, w2, w3, w4), w5, w6, w7);
    for (let row = hash & mask; ; row = (row + 1) & mask) {
      const slot = table[row]! - 1;
      if (slot < 0) return -1;
      const w = slot * 8;
      if (words[w] !== w0 || words[w + 1] !== w1 || words[w + 2] !== w2 || words[w + 3] !== w3) continue;
      if (words[w + 4] === w4 && words[w + 5] === w5 && words[w + 6] === w6 && words[w + 7] === w7) return slot;
    }
  }

  /** Slot of the id at `at`, adding it if it is new. */
  add(bytes: DataView, at: number): number {
    const existing = this.find(bytes, at);
    if (existing >= 0) return existing;
    if (this.size === this.flags.length) this.grow();
    const slot = this.size++;
    const { stride } = this;
    for (let i = 0; i < stride; i++) this.words[slot * stride + i] = bytes.getUint32(at + i * 4);
    this.enter(slot);
    return slot;
  }

  /**
   * As `add`, for ids that recur often, as when successive trees name the same files. Recent ids are looked up in a
   * small array that stays in the processor's cache, where the table itself would not.
   */
  addAgain(bytes: DataView, at: number): number {
    if (this.isLong) return this.add(bytes, at);
    const { recent } = this;
    const w0 = bytes.getUint32(at);
    const w1 = bytes.getUint32(at + 4);
    const w2 = bytes.getUint32(at + 8);
    const w3 = bytes.getUint32(at + 12);
    const w4 = bytes.getUint32(at + 16);
    const r = (w0 << 3) & (recent.length - 1);
    if (
      recent[r] === w0 &&
      recent[r + 1] === w1 &&
      recent[r + 2] === w2 &&
      recent[r + 3] === w3 &&
      recent[r + 4] === w4 &&
      recent[r + 5] !== 0
    )
      return recent[r + 5]! - 1;
    const slot = this.add(bytes, at);
    recent[r] = w0;
    recent[r + 1] = w1;
    recent[r + 2] = w2;
    recent[r + 3] = w3;
    recent[r + 4] = w4;
    recent[r + 5] = slot + 1;
    return slot;
  }

  /** Slot of the id; -1 when it is not in the set, or is of the other format. */
  findOid(oid: Oid): number {
    if (oid.length !== this.stride * 8) return -1;
    this.spell(oid);
    return this.find(this.scratch, 0);
  }

  /** @throws RangeError for an id of the other format */
  addOid(oid: Oid): number {
    if (oid.length !== this.stride * 8) throw new RangeError(`${oid} is an id of another format`);
    this.spell(oid);
    return this.add(this.scratch, 0);
  }

  /** Slot of the id whose hexadecimal digits are at `at`, adding it if it is new. */
  addHex(bytes: Uint8Array, at: number): number {
    const length = this.stride * 4;
    for (let i = 0; i < length; i++)
      this.scratch.setUint8(i, (hexDigit(bytes[at + 2 * i]!) << 4) | hexDigit(bytes[at + 2 * i + 1]!));
    return this.add(this.scratch, 0);
  }

  oidOf(slot: number): Oid {
    let oid = "";
    for (let i = 0; i < this.stride; i++) oid += this.words[slot * this.stride + i]!.toString(16).padStart(8, "0");
    return oid;
  }

  /** Writes the bytes of a slot's id. */
  write(slot: number, target: DataView, at: number): void {
    for (let i = 0; i < this.stride; i++) target.setUint32(at + i * 4, this.words[slot * this.stride + i]!);
  }

  word(slot: number, index: number): number {
    return this.words[slot * this.stride + index]!;
  }

  private spell(oid: Oid): void {
    for (let i = 0; i < this.stride; i++)
      this.scratch.setUint32(i * 4, Number.parseInt(oid.slice(i * 8, i * 8 + 8), 16));
  }

  private enter(slot: number): void {
    const { words } = this;
    const w = slot * this.stride;
    let hash = mix(this.secret, words[w]!, words[w + 1]!, words[w + 2]!, words[w + 3]!, words[w + 4]!);
    if (this.isLong) hash = mixMore(hash, words[w + 5]!, words[w + 6]!, words[w + 7]!);
    let row = hash & this.mask;
    while (this.table[row] !== 0) row = (row + 1) & this.mask;
    this.table[row] = slot + 1;
  }

  private grow(): void {
    const capacity = this.flags.length * 2;
    const words = new Uint32Array(capacity * this.stride);
    words.set(this.words);
    this.words = words;
    const flags = new Uint8Array(capacity);
    flags.set(this.flags);
    this.flags = flags;
    this.table = new Uint32Array(this.table.length * 2);
    this.mask = this.table.length - 1;
    for (let slot = 0; slot < this.size; slot++) this.enter(slot);
  }
}

/** Number of recent ids to keep: 256 KiB of them. */
const RECENT = 8192;

function mix(secret: number, w0: number, w1: number, w2: number, w3: number, w4: number): number {
  let hash = Math.imul(w0 ^ secret, 0x9e3779b1);
  hash = Math.imul((hash ^ (hash >>> 15)) + w1, 0x85ebca77);
  hash = Math.imul((hash ^ (hash >>> 13)) + w2, 0xc2b2ae3d);
  hash = Math.imul((hash ^ (hash >>> 16)) + w3, 0x27d4eb2f);
  hash = Math.imul((hash ^ (hash >>> 15)) + w4, 0x165667b1);
  return hash ^ (hash >>> 16);
}

function mixMore(start: number, w5: number, w6: number, w7: number): number {
  let hash = Math.imul((start ^ (start >>> 13)) + w5, 0x85ebca77);
  hash = Math.imul((hash ^ (hash >>> 16)) + w6, 0xc2b2ae3d);
  hash = Math.imul((hash ^ (hash >>> 15)) + w7, 0x27d4eb2f);
  return hash ^ (hash >>> 16);
}
