import { BadPack } from "../errors.ts";

/** Links kept in memory; 4 bytes each. Trees beyond are read again when they are needed. */
const MAX_STORED_LINKS = 8_000_000;
const NOT_STORED = 0xffffffff;
/** They lie in pieces of a megabyte: one array that doubles would take three times their room when it grows. */
const PIECE_BITS = 18;
const PIECE_LINKS = 1 << PIECE_BITS;

/**
 * Directories within directories, without end, make every reader of paths slow: a few megabytes of trees nested 100,000 deep
 * have gigabytes of paths. Which tree holds which is noted while trees are inspected anyway.
 */
export class TreeDepth {
  /** Subtrees of one tree after another, and where each tree's begin; by slot. */
  private readonly links: Uint32Array[] = [];
  private used = 0;
  private starts = new Uint32Array(1024).fill(NOT_STORED);
  private counts = new Uint32Array(1024);
  private readonly trees: number[] = [];
  private current = -1;

  /** Begins the tree in `slot`: the subtrees noted next are its own. */
  begin(slot: number): void {
    this.trees.push(slot);
    if (slot >= this.starts.length) {
      const capacity = Math.max(slot + 1, this.starts.length * 2);
      const starts = new Uint32Array(capacity).fill(NOT_STORED);
      starts.set(this.starts);
      this.starts = starts;
      const counts = new Uint32Array(capacity);
      counts.set(this.counts);
      this.counts = counts;
    }
    this.current = slot;
    this.starts[slot] = this.used < MAX_STORED_LINKS ? this.used : NOT_STORED;
  }

  note(subtree: number): void {
    if (this.used === MAX_STORED_LINKS) {
      this.starts[this.current] = NOT_STORED;
      return;
    }
    const at = this.used++;
    const piece = at >> PIECE_BITS;
    if (piece === this.links.length) this.links.push(new Uint32Array(PIECE_LINKS));
    this.links[piece]![at & (PIECE_LINKS - 1)] = subtree;
    this.counts[this.current]!++;
  }

  private linkAt(at: number): number {
    return this.links[at >> PIECE_BITS]![at & (PIECE_LINKS - 1)]!;
  }

  /** Lets go of everything, for good. */
  release(): void {
    this.starts = this.counts = new Uint32Array(0);
    this.links.length = this.trees.length = 0;
  }

  /**
   * `isHere`: the tree in a slot is in the pack; `subtreesOf` reads the subtrees of one that was not kept.
   * @throws BadPack when trees of the pack nest deeper than `limit`
   */
  check(limit: number, isHere: (slot: number) => boolean, subtreesOf: (slot: number) => Uint32Array): void {
    // A chain has a tree for each of its levels.
    if (this.trees.length <= limit) return;
    const heights = new Uint32Array(this.starts.length);
    // `read`: the subtrees of a tree that was not kept; those of others are from `next` to `end` in `links`.
    const path: { slot: number; read: Uint32Array | undefined; next: number; end: number; below: number }[] = [];
    const enter = (slot: number) => {
      const start = this.starts[slot]!;
      const read = start === NOT_STORED ? subtreesOf(slot) : undefined;
      const [next, count] = read ? [0, read.length] : [start, this.counts[slot]!];
      path.push({ slot, read, next, end: next + count, below: 0 });
      if (path.length > limit) throw tooDeep(limit);
    };
    for (const root of this.trees) {
      if (heights[root] !== 0) continue;
      enter(root);
      for (let top = path.at(-1); top; top = path.at(-1)) {
        if (top.next === top.end) {
          heights[top.slot] = top.below + 1;
          path.pop();
          const above = path.at(-1);
          if (above) above.below = Math.max(above.below, top.below + 1);
          continue;
        }
        const child = top.read ? top.read[top.next]! : this.linkAt(top.next);
        top.next++;
        const height = heights[child] ?? 0;
        if (height > 0) {
          if (path.length + height > limit) throw tooDeep(limit);
          top.below = Math.max(top.below, height);
        } else if (isHere(child)) enter(child);
      }
    }
  }
}

function tooDeep(limit: number): BadPack {
  return new BadPack(`folders nest deeper than ${limit}`);
}
