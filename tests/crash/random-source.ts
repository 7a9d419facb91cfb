import { random } from "../random.ts";

/** Choices that a seed repeats. */
export class RandomSource {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = random(seed);
  }

  /** From 0 to below `below`. */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
