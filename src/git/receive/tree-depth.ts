import { BadPack } from "../errors.ts";

/** Links kept in memory; 4 bytes each. Trees beyond are read again when they are needed. */
const MAX_STORED_LINKS = 8_000_000;
/** They lie in pieces of a megabyte: one array that doubles would take three times their room when it grows. */
const PIECE_BITS = 18;
const PIECE_LINKS = 1 << PIECE_BITS;
/** Of `starts`: no tree of the pack so far, and a tree whose links are not kept. */
const NOT_MET = 0xffffffff;
const NOT_STORED = 0xfffffffe;
/** Trees that are gone down when one is met again, to see whether it is settled by now. */
const SETTLED_LEVELS = 16;

/**
 * Directories within directories, without end, make every reader of paths slow: a few megabytes of trees nested 100,000 deep
 * have gigabytes of paths. How deep each tree is, is found while trees are inspected anyway. A tree is settled when all
 * below it is; only links to trees that are not settled yet are kept, and those are few, since versions of a directory
 * share most of what is in it.
 */
export class TreeDepth {
  /** Unsettled subtrees of one tree after another, and where each tree's begin and how many they are; by slot. */
  private readonly links: Uint32Array[] = [];
  private used = 0;
  private starts = new Uint32Array(1024).fill(NOT_MET);
  private counts = new Uint32Array(1024);
  /** Levels of a tree, itself among them, as far as they are settled. */
  private heights = new Uint32Array(1024);
  private trees = 0;
  private current = -1;

  constructor(private readonly maxStoredLinks = MAX_STORED_LINKS) {}

  /** Begins the tree in `slot`: the subtrees noted next are its own. */
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

  /** Lets go of everything, for good. */
  release(): void {
    this.starts = this.counts = this.heights = new Uint32Array(0);
    this.links.length = this.trees = 0;
  }

  /**
   * `subtreesOf` reads the subtrees of a tree that was not kept.
   * @throws BadPack when trees of the pack nest deeper than `limit`
   */
  check(limit: number, subtreesOf: (slot: number) => Uint32Array): void {
    // A chain has a tree for each of its levels.
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

  /** Whether all below the tree is known, as far as can be seen going down so many levels. */
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
