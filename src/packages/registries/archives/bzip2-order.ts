/**
 * The sorted order of all rotations of a block, as their start offsets. Sorts by one byte, then two, four, eight…
 * (Manber and Myers), so that repetitive blocks take hardly longer than others.
 */
export function blockOrder(block: Uint8Array): Int32Array {
  const sorter = new RotationSorter(block);
  for (let length = 1; length < block.length && !sorter.isDone; length *= 2) sorter.refine(length);
  return sorter.order;
}

class RotationSorter {
  order: Int32Array;
  /** The rank of each rotation, by start offset; rotations equal so far share a rank. */
  private ranks: Int32Array;
  private rankCount = 256;
  private spare: Int32Array;
  private readonly places: Int32Array;

  constructor(block: Uint8Array) {
    this.order = Int32Array.from({ length: block.length }, (_, at) => at);
    this.spare = new Int32Array(block.length);
    this.ranks = Int32Array.from(block);
    this.places = new Int32Array(Math.max(256, block.length) + 1);
    this.sort();
    this.rank(0);
  }

  get isDone(): boolean {
    return this.rankCount === this.order.length;
  }

  /** Refines the order by `length` bytes to that by twice as many. */
  refine(length: number): void {
    const { order } = this;
    const count = order.length;
    // The rotations are already ordered by what follows these bytes; sorting by the bytes themselves remains.
    for (let at = 0; at < count; at++) {
      const start = (order[at] ?? 0) - length;
      order[at] = start < 0 ? start + count : start;
    }
    this.sort();
    this.rank(length);
  }

  /** A stable sort by rank. */
  private sort(): void {
    const { order, places, ranks, rankCount, spare } = this;
    places.fill(0, 0, rankCount + 1);
    for (const rank of ranks) places[rank + 1] = (places[rank + 1] ?? 0) + 1;
    for (let rank = 0; rank < rankCount; rank++) places[rank + 1] = (places[rank + 1] ?? 0) + (places[rank] ?? 0);
    for (const start of order) {
      const rank = ranks[start] ?? 0;
      const place = places[rank] ?? 0;
      spare[place] = start;
      places[rank] = place + 1;
    }
    [this.order, this.spare] = [spare, order];
  }

  /** Recomputes ranks: rotations whose old ranks differ here or `length` bytes later are no longer equal. */
  private rank(length: number): void {
    const { order, ranks } = this;
    const count = order.length;
    const next = new Int32Array(count);
    let rank = 0;
    for (let at = 1; at < count; at++) {
      const [one, other] = [order[at - 1] ?? 0, order[at] ?? 0];
      if (ranks[one] !== ranks[other] || ranks[(one + length) % count] !== ranks[(other + length) % count]) rank++;
      next[other] = rank;
    }
    this.ranks = next;
    this.rankCount = rank + 1;
  }
}
