/** Sixteen bits per commit for one walk, by position; grows as needed. */
export class Flags {
  private bits: Uint16Array;

  /** @param size number of positions to allocate initially */
  constructor(size: number) {
    this.bits = new Uint16Array(Math.max(size, 64));
  }

  get(position: number): number {
    return this.bits[position] ?? 0;
  }

  /** Sets the bits of `mask` and returns the previous value. */
  add(position: number, mask: number): number {
    if (position >= this.bits.length) {
      const grown = new Uint16Array(Math.max(position + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    const before = this.bits[position]!;
    this.bits[position] = before | mask;
    return before;
  }

  /** Clears the bits of `mask`, by default all of them. */
  clear(position: number, mask = 0xffff): void {
    if (position < this.bits.length) this.bits[position]! &= ~mask;
  }
}
