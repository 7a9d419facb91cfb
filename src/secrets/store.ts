import type { Database } from "../db/database.ts";
import type { SealedColumn } from "./box.ts";

export interface SealedRow {
  readonly rowKey: string | number;
  readonly sealed: string;
}

// The names in these statements were checked when the column was declared.

export function sealedRows(db: Database, { table, column, key }: SealedColumn): SealedRow[] {
  return db
    .query<SealedRow>(
      `SELECT ${key} AS rowKey, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL AND ${column} <> ''`,
    )
    .all();
}

export function putSealed(db: Database, { table, column, key }: SealedColumn, row: SealedRow): void {
  db.query(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`).run(row.sealed, row.rowKey);
}
