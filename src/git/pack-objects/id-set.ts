/** A set of small non-negative integers, one bit each; grows as needed. */
export class IdSet {
  private words: Uint32Array;

  /** @param capacity numbers below this fit without growing */
  constructor(capacity: number) {
    this.words = new Uint32Array((capacity >>> 5) + 1);
  }

  has(id: number): boolean {
    const word = id >>> 5;
    return word < this.words.length && (this.words[word]! & (1 << (id & 31))) !== 0;
  }

  /** Adds a number; returns whether it was not yet in the set. */
  add(id: number): boolean {
    const word = id >>> 5;
    if (word >= this.words.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.words.length * 2));
      grown.set(this.words);
      this.words = grown;
    }
    const bit = 1 << (id & 31);
    const before = this.words[word]!;
    this.words[word] = before | bit;
    return (before & bit) === 0;
  }
}

/** A growable list of non-negative integers below 2^32, 4 bytes each. */
export class IdList {
  private items = new Uint32Array(64);
  length = 0;

  push(id: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = id;
  }

  /** A view of the numbers added so far. */
  values(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}
