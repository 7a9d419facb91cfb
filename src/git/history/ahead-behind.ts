import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import { PriorityQueue } from "../priority-queue.ts";
import { type AheadBehind, aheadBehind } from "./ancestry.ts";

/**
 * How far each of many commits has diverged from one, in a single walk: `ahead` counts commits the tip has and the base
 * lacks. A commit is visited after all its descendants, when it is known which of the tips reach it.
 * @returns one result per tip, in their order
 * @throws CorruptObject when a commit on the way is missing
 */
export function aheadBehindAll(commits: Commits, base: Oid, tips: readonly Oid[]): AheadBehind[] {
  const numbers = [base, ...tips].map((oid) => commits.positionOf(oid));
  // Without generations a commit could be visited too early: the slower way is exact.
  if (numbers.some((position) => commits.generationOf(position) === Number.POSITIVE_INFINITY))
    return tips.map((tip) => aheadBehind(commits, tip, base));
  return new Comparison(commits, numbers).run();
}

const FULL_WORD = 0xffffffff;

/** One bit for the base, which is the first, and one for each tip; 32 to a word. */
class Comparison {
  private readonly words: number;
  private readonly lastWord: number;
  private readonly queue = new PriorityQueue<number>();
  /** Offset of each queued commit's bits, in words. */
  private readonly places = new Map<number, number>();
  private readonly freePlaces: number[] = [];
  private bits = new Uint32Array(1024);
  private used = 0;
  /** Queued commits that some tip does not reach. */
  private open = 0;
  private readonly ahead: Uint32Array;
  private readonly behind: Uint32Array;
  /** Counts that apply to all bits of a word. */
  private readonly aheadOfWord: Uint32Array;
  private readonly behindOfWord: Uint32Array;

  constructor(
    private readonly commits: Commits,
    private readonly starts: readonly number[],
  ) {
    const count = starts.length;
    this.words = Math.ceil(count / 32);
    this.lastWord = count % 32 === 0 ? FULL_WORD : 2 ** (count % 32) - 1;
    this.ahead = new Uint32Array(this.words * 32);
    this.behind = new Uint32Array(this.words * 32);
    this.aheadOfWord = new Uint32Array(this.words);
    this.behindOfWord = new Uint32Array(this.words);
  }

  run(): AheadBehind[] {
    const one = new Uint32Array(this.words);
    for (const [i, position] of this.starts.entries()) {
      one.fill(0);
      one[i >>> 5] = 2 ** (i & 31);
      this.give(position, one, 0);
    }
    const current = new Uint32Array(this.words);
    while (this.open > 0) {
      const position = this.queue.pop()!;
      const place = this.places.get(position)!;
      current.set(this.bits.subarray(place, place + this.words));
      this.places.delete(position);
      this.freePlaces.push(place);
      if (!this.isFull(current, 0)) this.open--;
      this.count(current);
      for (const parent of this.commits.parentsOf(position)) this.give(parent, current, 0);
    }
    return this.starts.slice(1).map((_, i) => ({
      ahead: this.ahead[i + 1]! + this.aheadOfWord[(i + 1) >>> 5]!,
      behind: this.behind[i + 1]! + this.behindOfWord[(i + 1) >>> 5]!,
    }));
  }

  private give(position: number, from: Uint32Array, at: number): void {
    let place = this.places.get(position);
    if (place === undefined) {
      place = this.freePlaces.pop() ?? this.newPlace();
      this.places.set(position, place);
      for (let w = 0; w < this.words; w++) this.bits[place + w] = from[at + w]!;
      this.queue.push(position, this.commits.generationOf(position));
      if (!this.isFull(this.bits, place)) this.open++;
      return;
    }
    const wasFull = this.isFull(this.bits, place);
    for (let w = 0; w < this.words; w++) this.bits[place + w]! |= from[at + w]!;
    if (!wasFull && this.isFull(this.bits, place)) this.open--;
  }

  private newPlace(): number {
    const place = this.used;
    this.used += this.words;
    if (this.used > this.bits.length) {
      const grown = new Uint32Array(this.used * 2);
      grown.set(this.bits);
      this.bits = grown;
    }
    return place;
  }

  private isFull(bits: Uint32Array, at: number): boolean {
    for (let w = 0; w + 1 < this.words; w++) if (bits[at + w] !== FULL_WORD) return false;
    return bits[at + this.words - 1] === this.lastWord;
  }

  /** A commit that the base has and a tip lacks counts as behind, the reverse as ahead. */
  private count(current: Uint32Array): void {
    const inBase = (current[0]! & 1) !== 0;
    const single = inBase ? this.behind : this.ahead;
    const whole = inBase ? this.behindOfWord : this.aheadOfWord;
    for (let w = 0; w < this.words; w++) {
      const valid = w === this.words - 1 ? this.lastWord : FULL_WORD;
      // The base's own bit is set in one case and clear in the other; its counts are never used.
      const base = w === 0 ? 1 : 0;
      let differing = ((inBase ? ~current[w]! : current[w]!) & valid & ~base) >>> 0;
      if (differing === (valid & ~base) >>> 0) {
        whole[w]!++;
        continue;
      }
      for (; differing !== 0; differing = (differing & (differing - 1)) >>> 0)
        single[w * 32 + 31 - Math.clz32(differing & -differing)]!++;
    }
  }
}
