import { isTreeMode, readTree, TreeCursor } from "../diff/cursor.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { FoundEntry } from "./path-state.ts";

/** A folder's listing, and whether other states of the folder have the same in it. */
export class FolderReader {
  /** Entries in the order of the tree. */
  readonly names: string[] = [];
  private readonly listing: Buffer;
  /** Where each entry begins in the listing; one more place for the end. */
  private readonly starts: number[] = [0];

  /** @param folder undefined or a file: there are no entries */
  constructor(
    private readonly store: ObjectSource,
    folder: FoundEntry | undefined,
  ) {
    const data = folder && isTreeMode(folder.mode) ? readTree(store, folder.oid) : new Uint8Array(0);
    const cursor = new TreeCursor(data);
    this.listing = cursor.data;
    while (cursor.next()) {
      this.names.push(decodeName(data, cursor.nameStart, cursor.nameEnd));
      this.starts.push(cursor.oidStart + 20);
    }
  }

  /**
   * Divides entries (indexes, ascending) into those the other state has exactly so, and the rest.
   * @throws CorruptObject when the tree is missing or malformed
   */
  split(other: FoundEntry | undefined, entries: readonly number[]): { same: number[]; other: number[] } {
    if (!other || !isTreeMode(other.mode)) return { same: [], other: [...entries] };
    const cursor = new TreeCursor(readTree(this.store, other.oid));
    const same: number[] = [];
    const rest: number[] = [];
    let has = cursor.next();
    let start = 0;
    for (const entry of entries) {
      const from = this.starts[entry]!;
      const to = this.starts[entry + 1]!;
      let order = -1;
      while (has) {
        order = this.compareName(from, to, cursor);
        if (order <= 0) break;
        start = cursor.oidStart + 20;
        has = cursor.next();
      }
      if (has && order === 0 && this.equals(from, to, cursor.data, start, cursor.oidStart + 20)) same.push(entry);
      else rest.push(entry);
    }
    return { same, other: rest };
  }

  /** Order of a listed entry and the cursor's, as trees are sorted. */
  private compareName(from: number, to: number, cursor: TreeCursor): number {
    const { listing } = this;
    const folder = listing[from] === 0x34 && listing[from + 5] === 0x20;
    const nameStart = listing.indexOf(0x20, from) + 1;
    const length = to - 21 - nameStart;
    const otherLength = cursor.nameEnd - cursor.nameStart;
    const shared = Math.min(length, otherLength);
    for (let i = 0; i < shared; i++) {
      const order = listing[nameStart + i]! - cursor.data[cursor.nameStart + i]!;
      if (order !== 0) return order;
    }
    const end = length > shared ? listing[nameStart + shared]! : folder ? 0x2f : 0;
    const otherEnd = otherLength > shared ? cursor.data[cursor.nameStart + shared]! : cursor.isTree ? 0x2f : 0;
    return end - otherEnd;
  }

  private equals(from: number, to: number, data: Buffer, start: number, end: number): boolean {
    if (to - from !== end - start) return false;
    for (let i = 0; i < to - from; i++) if (this.listing[from + i] !== data[start + i]) return false;
    return true;
  }
}
