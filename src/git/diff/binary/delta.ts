/**
 * Deltas as git makes them, byte for byte: the base is cut into blocks of 16 bytes that are found by their Rabin
 * fingerprint, and the result is told in copies from the base and insertions (gitformat-pack, "Deltified
 * representation"). Which of many deltas comes out is git's choice.
 */

const BLOCK = 16;
/** Fingerprints are polynomials over GF(2) modulo this one, of degree 31. */
const POLYNOMIAL = 0xab59b4d1;
const TOP_SHIFT = 23;
/** Blocks of one bucket at most; of more a part is dropped evenly. */
const MAX_IN_BUCKET = 64;
/** A copy of this length is not improved upon. */
const LONG_COPY = 4096;
const LEAST_COPY = 4;
const MAX_INSERTED = 0x7f;
const MAX_COPIED = 0x10000;
/** Bytes compared in all, for each byte of the two contents; more is spent only on contents made to be slow. */
const MAX_WORK = 200;
/** Room for one instruction. */
const INSTRUCTION = 16;

/** What the byte that leaves the top of a fingerprint turns into, and what the oldest byte of a block is in it. */
interface Tables {
  readonly top: Int32Array;
  readonly oldest: Int32Array;
}

const TABLES = makeTables();

/**
 * A delta that makes `target` of `base`; undefined when it would be longer than `maxBytes`, or one of them is empty, or
 * finding it costs too much.
 */
export function gitDelta(base: Uint8Array, target: Uint8Array, maxBytes: number): Uint8Array | undefined {
  if (base.length === 0 || target.length === 0) return undefined;
  return new DeltaMaker(base, target, maxBytes).make();
}

class DeltaMaker {
  private readonly index: BlockIndex;
  private out = new Uint8Array(8192);
  private at = 0;
  /** Bytes being inserted, and where their count is to be written. */
  private inserted = 0;
  private countAt = 0;

  constructor(
    private readonly base: Uint8Array,
    private readonly target: Uint8Array,
    private readonly maxBytes: number,
  ) {
    this.index = new BlockIndex(base);
  }

  make(): Uint8Array | undefined {
    const { base, target, index } = this;
    this.size(base.length);
    this.size(target.length);
    const { top, oldest } = TABLES;
    const most = (base.length + target.length) * MAX_WORK;
    let hash = 0;
    let at = 0;
    this.countAt = this.at++;
    for (; at < BLOCK && at < target.length; at++) {
      this.out[this.at++] = target[at]!;
      hash = ((hash << 8) | target[at]!) ^ top[hash >>> TOP_SHIFT]!;
    }
    this.inserted = at;
    let size = 0;
    let offset = 0;
    while (at < target.length) {
      if (size < LONG_COPY) {
        hash ^= oldest[target[at - BLOCK]!]!;
        hash = ((hash << 8) | target[at]!) ^ top[hash >>> TOP_SHIFT]!;
        const found = index.longest(hash, target, at, size);
        if (found) {
          size = found.size;
          offset = found.offset;
        }
      }
      if (index.compared > most) return undefined;
      if (size < LEAST_COPY) {
        this.insert(target[at++]!);
        size = 0;
      } else {
        while (this.inserted > 0 && offset > 0 && base[offset - 1] === target[at - 1]) {
          size++;
          offset--;
          at--;
          this.at--;
          if (--this.inserted === 0) this.at--;
        }
        this.endInsertion();
        const now = Math.min(size, MAX_COPIED);
        this.copy(offset, now);
        at += now;
        offset += now;
        size -= now;
        if (size < LONG_COPY) {
          hash = 0;
          for (let i = at - BLOCK; i < at; i++) hash = ((hash << 8) | target[i]!) ^ top[hash >>> TOP_SHIFT]!;
        }
      }
      // Even if a copy would take some of it back: git looks no further either.
      if (this.at > this.maxBytes) return undefined;
      if (this.at + INSTRUCTION > this.out.length) this.grow();
    }
    this.endInsertion();
    return this.at > this.maxBytes ? undefined : this.out.subarray(0, this.at);
  }

  private grow(): void {
    const wider = new Uint8Array(this.out.length * 2);
    wider.set(this.out);
    this.out = wider;
  }

  private insert(byte: number): void {
    if (this.inserted === 0) this.countAt = this.at++;
    this.out[this.at++] = byte;
    if (++this.inserted === MAX_INSERTED) this.endInsertion();
  }

  private endInsertion(): void {
    if (this.inserted > 0) this.out[this.countAt] = this.inserted;
    this.inserted = 0;
  }

  private copy(offset: number, size: number): void {
    const code = this.at++;
    let bits = 0x80;
    for (let i = 0; i < 4; i++) {
      const byte = (offset >>> (i * 8)) & 0xff;
      if (byte === 0) continue;
      this.out[this.at++] = byte;
      bits |= 1 << i;
    }
    for (let i = 0; i < 2; i++) {
      const byte = (size >>> (i * 8)) & 0xff;
      if (byte === 0) continue;
      this.out[this.at++] = byte;
      bits |= 0x10 << i;
    }
    this.out[code] = bits;
  }

  private size(bytes: number): void {
    let left = bytes;
    for (; left >= 0x80; left = Math.floor(left / 128)) this.out[this.at++] = (left & 0x7f) | 0x80;
    this.out[this.at++] = left;
  }
}

/** The blocks of a base by their fingerprints. */
class BlockIndex {
  private readonly mask: number;
  /** First entry of each bucket. */
  private readonly starts: Int32Array;
  private readonly hashes: Int32Array;
  /** Where the bytes after the first one of each block end, in the base. */
  private readonly ends: Int32Array;
  /** Bytes compared so far. */
  compared = 0;

  constructor(private readonly base: Uint8Array) {
    const blocks = Math.floor((base.length - 1) / BLOCK);
    let bits = 4;
    while (1 << bits < Math.floor(blocks / 4)) bits++;
    this.mask = (1 << bits) - 1;
    const buckets = this.buckets(blocks);
    let kept = 0;
    for (const bucket of buckets) kept += bucket?.length ?? 0;
    this.starts = new Int32Array(this.mask + 2);
    this.hashes = new Int32Array(kept);
    this.ends = new Int32Array(kept);
    let at = 0;
    for (let i = 0; i <= this.mask; i++) {
      this.starts[i] = at;
      for (const { hash, end } of buckets[i] ?? []) {
        this.hashes[at] = hash;
        this.ends[at++] = end;
      }
    }
    this.starts[this.mask + 1] = at;
  }

  /** The longest match of what begins at `at`, when it is longer than `least`. */
  longest(hash: number, target: Uint8Array, at: number, least: number): { size: number; offset: number } | undefined {
    const { base, hashes, ends } = this;
    let found: { size: number; offset: number } | undefined;
    let best = least;
    const bucket = hash & this.mask;
    for (let i = this.starts[bucket]!; i < this.starts[bucket + 1]!; i++) {
      if (hashes[i] !== hash) continue;
      const offset = ends[i]!;
      const most = Math.min(base.length - offset, target.length - at);
      if (most <= best) break;
      let size = 0;
      while (size < most && target[at + size] === base[offset + size]) size++;
      this.compared += size;
      if (size <= best) continue;
      best = size;
      found = { size, offset };
      if (size >= LONG_COPY) break;
    }
    return found;
  }

  /** Entries of each bucket, those of the base's start first. */
  private buckets(blocks: number): ({ hash: number; end: number }[] | undefined)[] {
    const { base } = this;
    const { top } = TABLES;
    const buckets: ({ hash: number; end: number }[] | undefined)[] = new Array(this.mask + 1);
    let last: { hash: number; end: number } | undefined;
    for (let start = (blocks - 1) * BLOCK; start >= 0; start -= BLOCK) {
      let hash = 0;
      for (let i = 1; i <= BLOCK; i++) hash = ((hash << 8) | base[start + i]!) ^ top[hash >>> TOP_SHIFT]!;
      // Of equal blocks in a row the lowest is kept.
      if (last?.hash === hash) last.end = start + BLOCK;
      else {
        last = { hash, end: start + BLOCK };
        const bucket = buckets[hash & this.mask];
        if (bucket) bucket.push(last);
        else buckets[hash & this.mask] = [last];
      }
    }
    for (let i = 0; i <= this.mask; i++) {
      const bucket = buckets[i]?.reverse();
      if (bucket && bucket.length > MAX_IN_BUCKET) buckets[i] = thinned(bucket);
    }
    return buckets;
  }
}

/** Drops entries evenly until `MAX_IN_BUCKET` are left. */
function thinned<Entry>(bucket: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  const surplus = bucket.length - MAX_IN_BUCKET;
  let owed = 0;
  for (let i = 0; i < bucket.length; i++) {
    kept.push(bucket[i]!);
    owed += surplus;
    while (owed > 0) {
      i++;
      owed -= MAX_IN_BUCKET;
    }
  }
  return kept;
}

function makeTables(): Tables {
  const top = new Int32Array(256);
  const oldest = new Int32Array(256);
  // The power of x that the lowest bit of each byte stands for.
  let power = POLYNOMIAL | 0;
  for (let bit = 1; bit < 256; bit <<= 1) {
    for (let i = bit; i < bit * 2; i++) top[i] = top[i - bit]! ^ power;
    power = times(power === (POLYNOMIAL | 0) ? power & 0x7fffffff : power);
  }
  let old = 1;
  for (let i = 0; i < (BLOCK - 1) * 8; i++) old = times(old);
  for (let bit = 1; bit < 256; bit <<= 1) {
    for (let i = bit; i < bit * 2; i++) oldest[i] = oldest[i - bit]! ^ old;
    old = times(old);
  }
  return { top, oldest };
}

/** A polynomial below degree 31 times x. */
function times(value: number): number {
  const doubled = value << 1;
  return doubled & 0x80000000 ? doubled ^ (POLYNOMIAL | 0) : doubled;
}
