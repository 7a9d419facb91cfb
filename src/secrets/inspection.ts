import type { Database } from "../db/database.ts";
import { placeOf, type SecretBox } from "./box.ts";
import { sealedRows } from "./store.ts";

/** Checks whether the sealed values in the database can be opened with the available keys. */
export class SecretInspector {
  constructor(
    private readonly db: Database,
    private readonly box: SecretBox,
  ) {}

  /** @returns how many values are sealed, and for each column with values that cannot be opened, how many */
  inspect(): { readonly sealed: number; readonly unreadable: ReadonlyMap<string, number> } {
    let sealed = 0;
    const unreadable = new Map<string, number>();
    for (const column of this.box.columns)
      for (const row of sealedRows(this.db, column)) {
        sealed++;
        try {
          this.box.open(placeOf(column, row.rowKey), row.sealed);
        } catch {
          const name = `${column.table}.${column.column}`;
          unreadable.set(name, (unreadable.get(name) ?? 0) + 1);
        }
      }
    return { sealed, unreadable };
  }
}
