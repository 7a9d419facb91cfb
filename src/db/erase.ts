import { nextTurn } from "../kernel/next-turn.ts";
import type { Database } from "./database.ts";

/** A foreign key column: its rows are deleted with the row they refer to, or the column is set to NULL. */
interface Reference {
  readonly child: string;
  readonly column: string;
  readonly isCascade: boolean;
  /** The child's own key, if further tables refer to it. */
  readonly key: string | undefined;
  /** The columns of its primary key, as SQL. */
  readonly primaryKey: string;
}

/** Rows per statement: the slowest, issues and pulls with their search entries, take a millisecond each. */
const ROWS = 20;
/** The most rows that a deletion removes in a single transaction: about ten milliseconds. */
const MAX_AT_ONCE = 300;
/** The maximum duration of a transaction, so that requests are answered in between. */
const SLICE_MS = 4;

/**
 * Deletes, a few rows per step, the rows that go with a row (`ON DELETE CASCADE`, deepest first), and clears the
 * references to it that are declared `SET NULL`. The caller deletes the row itself at the end, which takes care of the
 * rest: rows added meanwhile, and rows that others refer to by more than one column.
 * @param except tables whose rows are left for that final deletion, too
 * @param table its primary key is the one column that others refer to
 * @yields after each statement that changed something
 */
export function* eraseDependents(
  db: Database,
  table: string,
  id: number,
  { except = [] }: { readonly except?: readonly string[] } = {},
): Generator<void, void> {
  const all = referencesOf(db);
  const first = all.get(table)?.filter(({ child }) => !except.includes(child)) ?? [];
  yield* eraseAll(db, new Map(all).set(table, first), table, [id]);
}

/** Whether too many rows depend on these rows to delete them in one transaction. */
export function hasMuch(db: Database, rows: readonly { readonly table: string; readonly id: number }[]): boolean {
  let found = 0;
  for (const { id, table } of rows) found += dependents(db, table, id, MAX_AT_ONCE - found);
  return found >= MAX_AT_ONCE;
}

/** How many rows are deleted or cleared with a row, counted up to `max`. */
function dependents(db: Database, table: string, id: number, max: number): number {
  const references = referencesOf(db);
  const count = (parent: string, ids: readonly number[], room: number): number => {
    let found = 0;
    for (const { child, column, isCascade, key } of references.get(parent) ?? []) {
      if (found >= room) return room;
      const rows = db
        .query<{ id: number | string | null }>(
          `SELECT ${key ?? "NULL"} AS id FROM ${child} WHERE ${column} IN (SELECT value FROM json_each(?)) LIMIT ?`,
        )
        .all(JSON.stringify(ids), room - found);
      found += rows.length;
      const below = isCascade ? rows.flatMap((row) => (typeof row.id === "number" ? row.id : [])) : [];
      if (below.length > 0) found += count(child, below, room - found);
    }
    return found;
  };
  return Math.min(max, count(table, [id], max));
}

/** Runs steps in transactions of bounded length, yielding to other work in between. */
export async function inSlices(db: Database, steps: Iterator<void>, signal?: AbortSignal): Promise<void> {
  for (let isDone = false; !isDone; ) {
    signal?.throwIfAborted();
    isDone = db.transaction(() => {
      const until = performance.now() + SLICE_MS;
      let { done } = steps.next();
      while (!done && performance.now() < until) ({ done } = steps.next());
      return done === true;
    });
    await nextTurn();
  }
}

function* eraseAll(db: Database, references: References, table: string, ids: readonly number[]): Generator<void, void> {
  const named = JSON.stringify(ids);
  for (const { child, column, isCascade, key, primaryKey } of references.get(table) ?? []) {
    const those = `FROM ${child} WHERE ${column} IN (SELECT value FROM json_each(?)) LIMIT ${ROWS}`;
    if (!isCascade) {
      const forget = db.query(
        `UPDATE ${child} SET ${column} = NULL WHERE (${primaryKey}) IN (SELECT ${primaryKey} ${those})`,
      );
      while (forget.run(named).changes > 0) yield;
    } else if (key === undefined) {
      const erase = db.query(`DELETE FROM ${child} WHERE (${primaryKey}) IN (SELECT ${primaryKey} ${those})`);
      while (erase.run(named).changes > 0) yield;
    } else {
      const next = db.query<{ id: number }>(`SELECT ${key} AS id ${those}`);
      const erase = db.query(`DELETE FROM ${child} WHERE ${key} IN (SELECT value FROM json_each(?))`);
      for (let some = next.all(named); some.length > 0; some = next.all(named)) {
        const children = some.map((row) => row.id);
        yield* eraseAll(db, references, child, children);
        erase.run(JSON.stringify(children));
        yield;
      }
    }
  }
}

type References = ReadonlyMap<string, readonly Reference[]>;

/** Cached because reading it takes hundreds of queries, and the schema does not change while the database is open. */
const known = new WeakMap<Database, References>();

/** Keyed by the table referred to. */
function referencesOf(db: Database): References {
  const references = known.get(db) ?? readReferences(db);
  known.set(db, references);
  return references;
}

function readReferences(db: Database): References {
  const rows = db
    .query<{ child: string; column: string; parent: string; action: string; columns: number }>(
      `SELECT tables.name AS child, found."from" AS column, found."table" AS parent, found.on_delete AS action,
         (SELECT count(*) FROM pragma_foreign_key_list(tables.name) AS same WHERE same.id = found.id) AS columns
       FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS found WHERE tables.type = 'table'`,
    )
    .all()
    .filter(({ action, columns }) => columns === 1 && (action === "CASCADE" || action === "SET NULL"));
  const parents = new Set(rows.map(({ parent }) => parent));
  return Map.groupBy(
    rows.map(({ action, child, column, parent }) => {
      const primaryKey = keyOf(db, child);
      const key = parents.has(child) && !primaryKey.includes(",") ? primaryKey : undefined;
      return { child, column, parent, isCascade: action === "CASCADE", key, primaryKey };
    }),
    ({ parent }) => parent,
  );
}

/** The columns of a table's primary key, as SQL. */
function keyOf(db: Database, table: string): string {
  const columns = db
    .query<{ name: string }>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table);
  return columns.length === 0 ? "rowid" : columns.map(({ name }) => name).join(", ");
}
