/** Sixteen bits per commit number for one walk; grows with the numbers. */
export class Marks {
  private bits: Uint16Array;

  /** @param size how many numbers to make room for at once */
  constructor(size: number) {
    this.bits = new Uint16Array(Math.max(size, 64));
  }

  get(number: number): number {
    return this.bits[number] ?? 0;
  }

  /** Sets the bits of `mask` and answers what was there before. */
  add(number: number, mask: number): number {
    if (number >= this.bits.length) {
      const grown = new Uint16Array(Math.max(number + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    const before = this.bits[number]!;
    this.bits[number] = before | mask;
    return before;
  }

  /** Takes the bits of `mask` away, all of them when left out. */
  clear(number: number, mask = 0xffff): void {
    if (number < this.bits.length) this.bits[number]! &= ~mask;
  }
}
