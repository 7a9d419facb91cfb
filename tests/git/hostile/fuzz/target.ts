import { random } from "../../../random.ts";

/** A source of choices: everything a case does follows from its seed. */
export class Choice {
  private readonly next: () => number;

  constructor(readonly seed: number) {
    this.next = random(seed);
  }

  /** 0 to n - 1. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** True once in `n` times. */
  onceIn(n: number): boolean {
    return this.below(n) === 0;
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }
}

/** What is fuzzed. A case may throw errors of the `GitError` family; whatever else it throws is a flaw. */
export interface FuzzTarget {
  readonly name: string;
  /** `folder` is empty and its own; the case is told apart by `choice` alone. */
  run(choice: Choice, folder: string): Promise<void> | void;
}

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x20, 0x2f, 0x30, 0x3c, 0x3e, 0x5c, 0x7e];

/** Changes a few bytes, or cuts, doubles or swaps a piece. */
export function mutated(choice: Choice, data: Uint8Array, words: readonly Uint8Array[] = []): Buffer {
  let bytes = Buffer.from(data);
  for (let k = 1 + choice.below(4); k > 0; k--) {
    const at = choice.below(bytes.length + 1);
    const kind = choice.below(words.length > 0 ? 10 : 8);
    if (kind === 0 && at < bytes.length) bytes[at] = choice.of(INTERESTING);
    else if (kind === 1 && at < bytes.length) bytes[at]! ^= 1 << choice.below(8);
    else if (kind === 2 && at + 4 <= bytes.length)
      bytes.writeUInt32BE(choice.of([0, 1, 0x7fffffff, 0x80000000, 0xffffffff]), at);
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + choice.below(30))]);
    else if (kind === 4)
      bytes = Buffer.concat([bytes.subarray(0, at), choice.bytes(1 + choice.below(12)), bytes.subarray(at)]);
    else if (kind === 5) bytes = bytes.subarray(0, at);
    else if (kind === 6) {
      const from = choice.below(bytes.length + 1);
      const piece = Buffer.from(bytes.subarray(from, from + choice.below(200)));
      bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    } else if (kind === 7 && at < bytes.length) bytes[at] = choice.below(256);
    else if (words.length > 0)
      bytes = Buffer.concat([bytes.subarray(0, at), choice.of(words), bytes.subarray(at + (choice.onceIn(2) ? 4 : 0))]);
  }
  return Buffer.from(bytes);
}
