import type { CommitLinks } from "../objects/commit.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { oidAt, writeOid } from "../objects/hash.ts";
import { OidTable } from "../objects/oid-table.ts";
import type { Oid } from "../objects/types.ts";

/**
 * Tree, parents and time of commits to add to a graph: about sixty bytes per commit, where an object of strings takes
 * five hundred, which every garbage collection would scan. Commits and their parents have slots.
 */
export class NewCommits {
  /** Number of commits with links; the others are known only as parents. */
  count = 0;
  private readonly ids: OidTable;
  private trees: Uint8Array;
  private times: Float64Array;
  /** By slot: where its parents begin in `parents`. */
  private parentStarts: Int32Array;
  private parentCounts: Int32Array;
  private parents: Int32Array;
  private parentsUsed = 0;

  constructor(private readonly format: ObjectFormat) {
    this.ids = new OidTable(format);
    const room = this.ids.flags.length;
    this.trees = new Uint8Array(room * format.oidBytes);
    this.times = new Float64Array(room);
    this.parentStarts = new Int32Array(room);
    this.parentCounts = new Int32Array(room);
    this.parents = new Int32Array(room);
  }

  /** The commit's slot, whether it has links or not; adds one if needed. */
  slotOf(oid: Oid): number {
    return this.ids.addOid(oid);
  }

  /** Number of slots, including those of commits known only as parents. */
  get slots(): number {
    return this.ids.size;
  }

  /** Whether the commit has links. */
  has(slot: number): boolean {
    return this.ids.flags[slot] !== 0;
  }

  oidOf(slot: number): Oid {
    return this.ids.oidOf(slot);
  }

  /** @returns the slots of the parents */
  add(slot: number, { tree, parents, committerTime }: CommitLinks): number[] {
    const slots = parents.map((parent) => this.ids.addOid(parent));
    this.makeRoom(slots.length);
    this.ids.flags[slot] = 1;
    this.count++;
    writeOid(tree, this.trees, slot * this.format.oidBytes);
    this.times[slot] = committerTime;
    this.parentStarts[slot] = this.parentsUsed;
    this.parentCounts[slot] = slots.length;
    this.parents.set(slots, this.parentsUsed);
    this.parentsUsed += slots.length;
    return slots;
  }

  timeOf(slot: number): number {
    return this.times[slot]!;
  }

  treeOf(slot: number): Oid {
    return oidAt(this.format, this.trees, slot * this.format.oidBytes);
  }

  /** Copies the bytes of the tree's id. */
  writeTree(slot: number, target: Buffer, at: number): void {
    const { oidBytes } = this.format;
    for (let i = 0; i < oidBytes; i++) target[at + i] = this.trees[slot * oidBytes + i]!;
  }

  parentCount(slot: number): number {
    return this.parentCounts[slot]!;
  }

  /** Slot of the commit's parent number `index`, from 0. */
  parentOf(slot: number, index: number): number {
    return this.parents[this.parentStarts[slot]! + index]!;
  }

  /** The slots with links, in the order of their ids. */
  inOrder(): Uint32Array {
    const slots = new Uint32Array(this.count);
    let found = 0;
    for (let slot = 0; slot < this.ids.size; slot++) if (this.has(slot)) slots[found++] = slot;
    const words = this.format.oidBytes / 4;
    return slots.sort((a, b) => {
      for (let i = 0; i < words; i++) {
        const order = this.ids.word(a, i) - this.ids.word(b, i);
        if (order !== 0) return order;
      }
      return 0;
    });
  }

  /** Writes the bytes of an id. */
  writeOid(slot: number, target: DataView, at: number): void {
    this.ids.write(slot, target, at);
  }

  private makeRoom(parents: number): void {
    const room = this.ids.flags.length;
    if (room > this.times.length) {
      this.trees = enlarged(this.trees, new Uint8Array(room * this.format.oidBytes));
      this.times = enlarged(this.times, new Float64Array(room));
      this.parentStarts = enlarged(this.parentStarts, new Int32Array(room));
      this.parentCounts = enlarged(this.parentCounts, new Int32Array(room));
    }
    const needed = this.parentsUsed + parents;
    if (needed > this.parents.length) this.parents = enlarged(this.parents, new Int32Array(needed * 2));
  }
}

function enlarged<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
