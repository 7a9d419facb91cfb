import { BadPack } from "../errors.ts";

/** Maximum number of links kept in memory, 4 bytes each. Trees beyond that are read again when needed. */
const MAX_STORED_LINKS = 8_000_000;
/** Kept in pieces of a megabyte: a single array that doubles would need three times its size while growing. */
const PIECE_BITS = 18;
const PIECE_LINKS = 1 << PIECE_BITS;
/** Values of `starts`: not a tree seen in the pack so far, and a tree whose links are not stored. */
const NOT_MET = 0xffffffff;
const NOT_STORED = 0xfffffffe;
/** Levels searched below a tree when it is met again, to see whether it is settled by now. */
const SETTLED_LEVELS = 16;

/**
 * Endlessly nested directories make every reader of paths slow: a few megabytes of trees nested 100,000 deep have
 * gigabytes of paths. The depth of each tree is worked out while trees are inspected anyway. A tree is settled once
 * everything below it is; only links to unsettled trees are stored, and those are few, since versions of a directory
 * share most of their contents.
 */
export class TreeDepth {
  /** The unsettled subtrees of all trees in sequence, and by slot where each tree's begin and how many it has. */
  private readonly links: Uint32Array[] = [];
  private used = 0;
  private starts = new Uint32Array(1024).fill(NOT_MET);
  private counts = new Uint32Array(1024);
  /** Height of each tree in levels, itself included, as far as its subtrees are settled. */
  private heights = new Uint32Array(1024);
  private trees = 0;
  private current = -1;

  constructor(private readonly maxStoredLinks = MAX_STORED_LINKS) {}

  /** Begins the tree in `slot`: the subtrees noted next belong to it. */
  begin(slot: number): void {
    if (slot >= this.starts.length) this.grow(slot);
    this.trees++;
    this.current = slot;
    this.starts[slot] = this.used < this.maxStoredLinks ? this.used : NOT_STORED;
    this.heights[slot] = 1;
  }

  note(subtree: number): void {
    const { current } = this;
    if (this.settle(subtree, SETTLED_LEVELS)) {
      this.isAbove(current, subtree);
      return;
    }
    if (this.used === this.maxStoredLinks) {
      this.starts[current] = NOT_STORED;
      return;
    }
    const at = this.used++;
    const piece = at >> PIECE_BITS;
    if (piece === this.links.length) this.links.push(new Uint32Array(PIECE_LINKS));
    this.links[piece]![at & (PIECE_LINKS - 1)] = subtree;
    this.counts[current]!++;
  }

  /** Frees everything for good. */
  release(): void {
    this.starts = this.counts = this.heights = new Uint32Array(0);
    this.links.length = this.trees = 0;
  }

  /**
   * Checks the depth of all trees. `subtreesOf` reads the subtrees of a tree whose links were not stored.
   * @throws BadPack when trees of the pack nest deeper than `limit`
   */
  check(limit: number, subtreesOf: (slot: number) => Uint32Array): void {
    // A chain needs one tree for each of its levels.
    if (this.trees <= limit) return;
    this.current = -1;
    const { starts, counts, heights } = this;
    const read = new Map<number, Uint32Array>();
    const path: number[] = [];
    for (let root = 0; root < starts.length; root++) {
      if (!this.isMet(root)) continue;
      path.push(root);
      for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
        if (starts[top] === NOT_STORED && !read.has(top)) {
          const subtrees = subtreesOf(top);
          read.set(top, subtrees);
          counts[top] = subtrees.length;
        }
        if (counts[top] === 0) {
          if (heights[top]! > limit) throw tooDeep(limit);
          if (read.delete(top)) starts[top] = 0;
          path.pop();
          continue;
        }
        const left = counts[top]! - 1;
        const child = read.get(top)?.[left] ?? this.linkAt(starts[top]! + left);
        if (this.isMet(child) && !this.settle(child, 0)) path.push(child);
        else {
          if (this.isMet(child)) this.isAbove(top, child);
          counts[top] = left;
        }
        if (path.length > limit) throw tooDeep(limit);
      }
    }
  }

  /** Whether everything below the tree is settled, looking at most `levels` further down. */
  private settle(slot: number, levels: number): boolean {
    if (!this.isMet(slot) || this.starts[slot] === NOT_STORED || slot === this.current) return false;
    while (this.counts[slot]! > 0) {
      if (levels === 0) return false;
      const child = this.linkAt(this.starts[slot]! + this.counts[slot]! - 1);
      if (!this.settle(child, levels - 1)) return false;
      this.isAbove(slot, child);
      this.counts[slot]!--;
    }
    return true;
  }

  private isAbove(tree: number, child: number): void {
    this.heights[tree] = Math.max(this.heights[tree]!, this.heights[child]! + 1);
  }

  /** Whether it is a tree of the pack that was inspected. */
  private isMet(slot: number): boolean {
    return slot < this.starts.length && this.starts[slot] !== NOT_MET;
  }

  private linkAt(at: number): number {
    return this.links[at >> PIECE_BITS]![at & (PIECE_LINKS - 1)]!;
  }

  private grow(slot: number): void {
    const capacity = Math.max(slot + 1, this.starts.length * 2);
    const starts = new Uint32Array(capacity).fill(NOT_MET);
    starts.set(this.starts);
    const counts = new Uint32Array(capacity);
    counts.set(this.counts);
    const heights = new Uint32Array(capacity);
    heights.set(this.heights);
    this.starts = starts;
    this.counts = counts;
    this.heights = heights;
  }
}

function tooDeep(limit: number): BadPack {
  return new BadPack(`folders nest deeper than ${limit}`);
}
