/**
 * Creates deltas (the format is drawn in delta.ts). The base is cut into blocks of 16 bytes, found by a rolling hash
 * over the target; a match is extended as far as possible in both directions. Bytes that match no block of the base are
 * inserted. Built for a search that tries thousands of pairs: nothing is allocated per pair, and a pair that exceeds
 * the size limit is abandoned early.
 */

const BLOCK = 16;
/** Odd, so that the hash modulo 2^32 keeps every byte. */
const MULTIPLIER = 0x2c9277b5;
/** The hash contribution of a byte that leaves the window, by byte value. */
const LEAVING = leavingWeights();
/** Blocks compared per hash. More than these only come from repetitive content, where any match will do. */
const MAX_TRIES = 32;
/** A match this long is good enough to stop searching. */
const LONG_MATCH = 4096;
/** The most bytes one instruction can copy and insert. */
const MAX_COPIED = 0x10000;
const MAX_INSERTED = 127;

/** The block index of a delta base. One instance is reused for many bases. */
export class DeltaBase {
  bytes: Uint8Array = new Uint8Array(0);
  /** By hash: the number of the first block, or -1. The length is a power of two. */
  heads = new Int32Array(0);
  /** By block: the next block in the same `heads` bucket, or -1; and the block's hash. */
  next = new Int32Array(0);
  hashes = new Int32Array(0);
  shift = 32;

  /** Indexes an object, which must not change while deltas are made from it. */
  load(bytes: Uint8Array): void {
    this.bytes = bytes;
    const blocks = Math.floor(bytes.length / BLOCK);
    const bits = Math.max(4, 32 - Math.clz32(blocks));
    const places = 2 ** bits;
    this.shift = 32 - bits;
    if (this.heads.length < places) this.heads = new Int32Array(places);
    this.heads.fill(-1, 0, places);
    if (this.next.length < blocks) {
      const capacity = Math.max(blocks, this.next.length * 2);
      this.next = new Int32Array(capacity);
      this.hashes = new Int32Array(capacity);
    }
    const { heads, next, hashes, shift } = this;
    let after = 0;
    // Backwards, so that among equal blocks the first is found first.
    for (let block = blocks - 1; block >= 0; block--) {
      const hash = hashAt(bytes, block * BLOCK);
      hashes[block] = hash;
      const place = placeOf(hash, shift);
      // A run of equal blocks is indexed by its first block only.
      if (block + 1 < blocks && hash === after && heads[place] === block + 1) next[block] = next[block + 1]!;
      else next[block] = heads[place]!;
      heads[place] = block;
      after = hash;
    }
  }

  /** Bytes the index takes for an object of this size, excluding the object. */
  static costOf(sizeBytes: number): number {
    return Math.ceil(sizeBytes / BLOCK) * 16;
  }

  /** Frees the memory that a large object required. */
  shrink(): void {
    this.bytes = new Uint8Array(0);
    this.heads = new Int32Array(0);
    this.next = new Int32Array(0);
    this.hashes = new Int32Array(0);
  }
}

/** Creates deltas in an internal buffer. */
export class DeltaMaker {
  private out = new Uint8Array(4096);
  private length = 0;
  private maxBytes = 0;

  /**
   * Creates a delta from `base` to `target` of at most `maxBytes`; undefined when it would be larger. The bytes are
   * valid until the next call.
   */
  make(base: DeltaBase, target: Uint8Array, maxBytes: number): Uint8Array | undefined {
    if (this.out.length < maxBytes) this.out = new Uint8Array(Math.max(maxBytes, this.out.length * 2));
    this.length = 0;
    this.maxBytes = maxBytes;
    if (maxBytes < 20) return undefined;
    this.putSize(base.bytes.length);
    this.putSize(target.length);
    return this.fill(base, target) ? this.out.subarray(0, this.length) : undefined;
  }

  private fill(base: DeltaBase, target: Uint8Array): boolean {
    const { bytes, heads, next, hashes, shift } = base;
    const end = target.length;
    // Two versions of a file usually begin alike.
    let at = commonLength(bytes, 0, target, 0);
    if (at < BLOCK) at = 0;
    else if (!this.putCopy(0, at)) return false;
    let pending = at;
    let room = this.literalRoom();
    let hash = at + BLOCK <= end ? hashAt(target, at) : 0;
    while (at + BLOCK <= end) {
      if (at - pending > room) return false;
      let longest = 0;
      let from = 0;
      let tries = MAX_TRIES;
      for (let block = heads[placeOf(hash, shift)]!; block >= 0 && tries > 0; block = next[block]!) {
        if (hashes[block] !== hash) continue;
        tries--;
        const length = commonLength(bytes, block * BLOCK, target, at);
        if (length <= longest) continue;
        longest = length;
        from = block * BLOCK;
        if (length >= LONG_MATCH) break;
      }
      if (longest < BLOCK) {
        if (at + BLOCK < end) hash = (Math.imul(hash, MULTIPLIER) + target[at + BLOCK]! - LEAVING[target[at]!]!) | 0;
        at++;
        continue;
      }
      while (at > pending && from > 0 && bytes[from - 1] === target[at - 1]) {
        at--;
        from--;
        longest++;
      }
      if (!this.putInsert(target, pending, at) || !this.putCopy(from, longest)) return false;
      at += longest;
      pending = at;
      room = this.literalRoom();
      if (at + BLOCK <= end) hash = hashAt(target, at);
    }
    return this.putInsert(target, pending, end);
  }

  /** Number of bytes that can still be inserted. */
  private literalRoom(): number {
    const left = this.maxBytes - this.length;
    return left - Math.ceil(left / (MAX_INSERTED + 1));
  }

  private putSize(size: number): void {
    let rest = size;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.out[this.length++] = (rest % 128) | 0x80;
    this.out[this.length++] = rest;
  }

  private putInsert(bytes: Uint8Array, start: number, end: number): boolean {
    const count = end - start;
    if (this.length + count + Math.ceil(count / MAX_INSERTED) > this.maxBytes) return false;
    const { out } = this;
    let to = this.length;
    for (let at = start; at < end; ) {
      const length = Math.min(MAX_INSERTED, end - at);
      out[to++] = length;
      for (let i = 0; i < length; i++) out[to++] = bytes[at++]!;
    }
    this.length = to;
    return true;
  }

  private putCopy(start: number, count: number): boolean {
    const { out } = this;
    let from = start;
    for (let left = count; left > 0; ) {
      if (this.length + 7 > this.maxBytes) return false;
      const size = Math.min(left, MAX_COPIED);
      const codeAt = this.length++;
      let code = 0x80;
      let to = this.length;
      for (let byte = 0; byte < 4; byte++) {
        const value = (from >>> (8 * byte)) & 0xff;
        if (value === 0) continue;
        out[to++] = value;
        code |= 0x01 << byte;
      }
      // A size of 0x10000 has only zero bytes here, and is what the absence of size bytes means.
      for (let byte = 0; byte < 2; byte++) {
        const value = (size >>> (8 * byte)) & 0xff;
        if (value === 0) continue;
        out[to++] = value;
        code |= 0x10 << byte;
      }
      out[codeAt] = code;
      this.length = to;
      from += size;
      left -= size;
    }
    return true;
  }
}

/** Number of equal bytes from the given positions on. */
function commonLength(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number): number {
  const max = Math.min(a.length - aStart, b.length - bStart);
  let length = 0;
  while (length < max && a[aStart + length] === b[bStart + length]) length++;
  return length;
}

function hashAt(bytes: Uint8Array, start: number): number {
  let hash = 0;
  for (let i = 0; i < BLOCK; i++) hash = (Math.imul(hash, MULTIPLIER) + bytes[start + i]!) | 0;
  return hash;
}

function placeOf(hash: number, shift: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> shift;
}

function leavingWeights(): Int32Array {
  let weight = 1;
  for (let i = 0; i < BLOCK; i++) weight = Math.imul(weight, MULTIPLIER);
  return Int32Array.from({ length: 256 }, (_, byte) => Math.imul(byte, weight));
}
