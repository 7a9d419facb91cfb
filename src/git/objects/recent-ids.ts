import type { ObjectFormat } from "./format.ts";

const SLOTS = 1 << 17;

/**
 * Recently seen ids, each in the one slot its first bits select. A tree repeats nearly all entries of its previous
 * version, and a lookup here (about 10 ns) saves an index search (a microsecond). It may forget ids, but never reports
 * one it has not seen.
 */
export class RecentIds {
  private readonly words: Uint32Array;
  /** 32-bit words per id. */
  private readonly stride: number;

  constructor(format: ObjectFormat) {
    this.stride = format.oidBytes / 4;
    this.words = new Uint32Array(SLOTS * this.stride);
  }

  /** Whether the id whose bytes are at `at` was seen recently. Records it as seen. */
  meet(bytes: DataView, at: number): boolean {
    const { words, stride } = this;
    const w0 = bytes.getUint32(at);
    const w1 = bytes.getUint32(at + 4);
    const w2 = bytes.getUint32(at + 8);
    const w3 = bytes.getUint32(at + 12);
    const w4 = bytes.getUint32(at + 16);
    const slot = (w0 & (SLOTS - 1)) * stride;
    let isSame =
      words[slot] === w0 &&
      words[slot + 1] === w1 &&
      words[slot + 2] === w2 &&
      words[slot + 3] === w3 &&
      words[slot + 4] === w4;
    for (let i = 5; i < stride; i++) {
      const word = bytes.getUint32(at + i * 4);
      isSame &&= words[slot + i] === word;
      words[slot + i] = word;
    }
    if (isSame) return true;
    words[slot] = w0;
    words[slot + 1] = w1;
    words[slot + 2] = w2;
    words[slot + 3] = w3;
    words[slot + 4] = w4;
    return false;
  }
}
