import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import { kindOfType, typeOfKind } from "../packs/entry.ts";
import { OidTable } from "../receive/oid-table.ts";

/** It is there and can be read. */
export const HAS = 1;
/** A ref or a log leads to it. */
export const REACHABLE = 2;
/** Something points to it. */
export const USED = 4;
const KIND_SHIFT = 3;

/** Every object that is there or is pointed to: about 33 bytes each. */
export class Known {
  readonly table: OidTable;

  constructor(format: ObjectFormat, expected: number) {
    this.table = new OidTable(format, expected);
  }

  is(slot: number, flag: number): boolean {
    return (this.table.flags[slot]! & flag) !== 0;
  }

  mark(slot: number, flag: number): void {
    this.table.flags[slot]! |= flag;
  }

  /** Undefined while no one has said. */
  typeOf(slot: number): ObjectType | undefined {
    return typeOfKind(this.table.flags[slot]! >> KIND_SHIFT);
  }

  /** Takes the object for one of this type; false when it is known as another. */
  take(slot: number, type: ObjectType): boolean {
    const known = this.typeOf(slot);
    if (known === undefined) this.table.flags[slot]! |= kindOfType(type) << KIND_SHIFT;
    return known === undefined || known === type;
  }

  oidOf(slot: number): Oid {
    return this.table.oidOf(slot);
  }

  /**
   * All slots in the order git comes by them: its table of objects is as large as a power of two above twice their
   * number, and each object is at the place its first four bytes say, or behind it.
   */
  inGitsOrder(): Uint32Array {
    const { size } = this.table;
    let places = 32;
    while (places - 1 <= (size - 1) * 2) places *= 2;
    const rows = new Uint32Array(places);
    for (let slot = 0; slot < size; slot++) {
      const word = this.table.word(slot, 0);
      const low = (word >>> 24) | ((word >>> 8) & 0xff00) | ((word << 8) & 0xff0000) | (word << 24);
      let row = low & (places - 1);
      while (rows[row] !== 0) row = (row + 1) & (places - 1);
      rows[row] = slot + 1;
    }
    return rows.filter((row) => row !== 0).map((row) => row - 1);
  }
}
