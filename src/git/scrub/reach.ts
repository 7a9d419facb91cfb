import { GitError, ObjectTooLarge } from "../errors.ts";
import { eachLink } from "../fsck/links.ts";
import { OidTable } from "../objects/oid-table.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import type { Pacer } from "./pacer.ts";

/** Findings are bits; the last bit is shared by all further ones. */
const MAX_BITS = 31;
const DONE = 1;

interface Step {
  readonly slot: number;
  readonly children: number[];
}

/**
 * Determines which lost objects are reachable from which refs: every object reachable from refs is visited once,
 * children before parents, and takes over the findings of its children. Blobs are looked up, not read.
 */
export class Reach {
  /** Objects reachable from refs that are in no file, or that cannot be read although none was found damaged. */
  readonly missing = new Set<Oid>();
  private readonly table: OidTable;
  private hits = new Uint32Array(1024);

  constructor(
    private readonly store: ObjectStore,
    private readonly pacer: Pacer,
  ) {
    this.table = new OidTable(store.format, 4096);
  }

  /**
   * Marks the object as lost to finding number `finding`; missing objects are detected automatically, and are number 0.
   */
  lose(oid: Oid, finding: number): void {
    this.hit(this.table.addOid(oid), bitOf(finding));
  }

  /** @returns which findings affect this object, to be read with `isHitBy` */
  from(oid: Oid): number {
    const root = this.table.addOid(oid);
    const path: Step[] = [];
    this.enter(root, undefined, path);
    for (let step = path.at(-1); step; step = path.at(-1)) {
      const child = step.children.pop();
      if (child === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above) this.hit(above.slot, this.hitsOf(step.slot));
      } else if (this.isDone(child)) this.hit(step.slot, this.hitsOf(child));
      else this.enter(child, step.slot, path);
    }
    return this.hitsOf(root);
  }

  private enter(slot: number, from: number | undefined, path: Step[]): void {
    this.pacer.rest();
    const { table, store } = this;
    table.flags[slot]! |= DONE;
    const children: number[] = [];
    const oid = table.oidOf(slot);
    try {
      const object = store.read(oid);
      if (!object) {
        if (this.hitsOf(slot) === 0) this.miss(slot, oid);
      } else
        eachLink(object.type, object.data, store.format, table, (to, as) => {
          if (as === "blob") this.lookUp(slot, to);
          else children.push(to);
        });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // For a large blob that a tag points to, it is enough that it exists.
      if (!(error instanceof ObjectTooLarge) && this.hitsOf(slot) === 0) this.miss(slot, oid);
    }
    if (children.length > 0) path.push({ slot, children });
    else if (from !== undefined) this.hit(from, this.hitsOf(slot));
  }

  private lookUp(from: number, blob: number): void {
    if (!this.isDone(blob)) {
      this.table.flags[blob]! |= DONE;
      const oid = this.table.oidOf(blob);
      if (this.hitsOf(blob) === 0 && !this.store.has(oid)) this.miss(blob, oid);
    }
    this.hit(from, this.hitsOf(blob));
  }

  private miss(slot: number, oid: Oid): void {
    this.missing.add(oid);
    this.hit(slot, bitOf(0));
  }

  private isDone(slot: number): boolean {
    return (this.table.flags[slot]! & DONE) !== 0;
  }

  private hitsOf(slot: number): number {
    return this.hits[slot] ?? 0;
  }

  private hit(slot: number, bits: number): void {
    if (bits === 0) return;
    if (slot >= this.hits.length) {
      const larger = new Uint32Array(Math.max(2 * this.hits.length, slot + 1));
      larger.set(this.hits);
      this.hits = larger;
    }
    this.hits[slot]! |= bits;
  }
}

const bitOf = (finding: number): number => 2 ** Math.min(finding, MAX_BITS);

/** Whether a result of `Reach.from` includes that finding. */
export function isHitBy(hits: number, finding: number): boolean {
  return (hits & bitOf(finding)) !== 0;
}
