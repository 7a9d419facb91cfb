import type { ObjectFormat } from "../objects/format.ts";
import { OidTable } from "../objects/oid-table.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import { kindOfType, typeOfKind } from "../packs/entry.ts";

/** The object exists and can be read. */
export const HAS = 1;
/** It is reachable from a ref or a reflog. */
export const REACHABLE = 2;
/** Something points to it. */
export const USED = 4;
const KIND_SHIFT = 3;

/** Every object that exists or is pointed to: about 33 bytes each. */
export class ObjectTable {
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

  /** Undefined as long as the type is unknown. */
  typeOf(slot: number): ObjectType | undefined {
    return typeOfKind(this.table.flags[slot]! >> KIND_SHIFT);
  }

  /** Records the object's type; false if it is already known to have another one. */
  take(slot: number, type: ObjectType): boolean {
    const objects = this.typeOf(slot);
    if (objects === undefined) this.table.flags[slot]! |= kindOfType(type) << KIND_SHIFT;
    return objects === undefined || objects === type;
  }

  oidOf(slot: number): Oid {
    return this.table.oidOf(slot);
  }
}
