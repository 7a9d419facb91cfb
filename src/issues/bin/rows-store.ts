import type { Database } from "../../db/database.ts";

/**
 * Saves and restores a row with all rows that the database would delete along with it. These are found through foreign
 * keys, so tables added by areas are covered without being named here.
 */

/** The row that all others depend on. */
export interface Root {
  readonly table: "issues" | "timeline";
  readonly id: number;
}

interface ForeignKey {
  readonly child: string;
  readonly column: string;
  readonly parent: string;
  readonly onDelete: string;
}

interface Schema {
  /** Columns of each table. */
  readonly columns: ReadonlyMap<string, readonly string[]>;
  readonly keys: readonly ForeignKey[];
}

const schemas = new WeakMap<Database, Schema>();

function schemaOf(db: Database): Schema {
  const cached = schemas.get(db);
  if (cached) return cached;
  const keys = db
    .query<ForeignKey>(
      `SELECT tables.name AS child, keys."from" AS column, keys."table" AS parent, keys.on_delete AS onDelete
       FROM sqlite_schema AS tables JOIN pragma_foreign_key_list(tables.name) AS keys
       WHERE tables.type = 'table' ORDER BY tables.name, keys."from"`,
    )
    .all();
  const columns = new Map<string, string[]>();
  for (const { name, table } of db
    .query<{ table: string; name: string }>(
      `SELECT tables.name AS "table", columns.name AS name
       FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND tables.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY tables.name, columns.cid`,
    )
    .all())
    columns.set(table, [...(columns.get(table) ?? []), name]);
  const schema = { columns, keys };
  schemas.set(db, schema);
  return schema;
}

const list = (ids: Iterable<number>) => JSON.stringify([...ids]);

/** Rows with an id column that depend on the root, by table; the root's table comes first. */
function closureOf(db: Database, root: Root): Map<string, Set<number>> {
  const { columns, keys } = schemaOf(db);
  const closure = new Map<string, Set<number>>();
  for (let found = new Map([[root.table as string, new Set([root.id])]]); found.size > 0; ) {
    const next = new Map<string, Set<number>>();
    for (const [table, ids] of found) closure.set(table, new Set([...(closure.get(table) ?? []), ...ids]));
    for (const [table, ids] of found)
      for (const { child, column, onDelete, parent } of keys) {
        if (parent !== table || onDelete !== "CASCADE" || !columns.get(child)?.includes("id")) continue;
        const sql = `SELECT id FROM ${child} WHERE ${column} IN (SELECT value FROM json_each(?))`;
        for (const { id } of db.query<{ id: number }>(sql).all(list(ids)))
          if (!closure.get(child)?.has(id)) next.set(child, (next.get(child) ?? new Set()).add(id));
      }
    found = next;
  }
  return closure;
}

/** Saves all rows that depend on the root, and references to them from rows that remain. */
export function keepRows(db: Database, deletedId: number, root: Root): void {
  const { columns, keys } = schemaOf(db);
  const closure = closureOf(db, root);
  const keep = (table: string, where: string, params: Record<string, string>) => {
    const content = (columns.get(table) ?? []).map((name) => `'${name}', ${name}`).join(", ");
    db.query(
      `INSERT INTO deleted_rows (deleted_id, table_name, content)
       SELECT $deleted, '${table}', json_object(${content}) FROM ${table} WHERE ${where}`,
    ).run({ ...params, deleted: deletedId });
  };
  for (const [table, ids] of closure) keep(table, "id IN (SELECT value FROM json_each($ids))", { ids: list(ids) });
  const led = keys.filter(({ onDelete, parent }) => onDelete === "CASCADE" && closure.has(parent));
  for (const table of new Set(led.map(({ child }) => child))) {
    if (columns.get(table)?.includes("id")) continue;
    const ways = led.filter(({ child }) => child === table);
    const where = ways.map(({ column }, at) => `${column} IN (SELECT value FROM json_each($ids${at}))`).join(" OR ");
    keep(table, where, Object.fromEntries(ways.map(({ parent }, at) => [`ids${at}`, list(closure.get(parent) ?? [])])));
  }
  for (const { child, column, onDelete, parent } of keys)
    if (onDelete === "SET NULL" && closure.has(parent))
      db.query(
        `INSERT INTO deleted_links (deleted_id, table_name, column_name, row_id, value)
         SELECT ?, '${child}', '${column}', rowid, ${column} FROM ${child}
         WHERE ${column} IN (SELECT value FROM json_each(?))`,
      ).run(deletedId, list(closure.get(parent) ?? []));
}

/**
 * Restores the rows under their ids. If something a row refers to is gone, the column becomes null, or the row is not
 * restored, as it would have been deleted too. Values that others have set meanwhile are left alone.
 */
export function restoreRows(db: Database, deletedId: number): void {
  db.execute("PRAGMA defer_foreign_keys = ON");
  const tables = db
    .query<{ name: string }>(
      "SELECT table_name AS name FROM deleted_rows WHERE deleted_id = ? GROUP BY table_name ORDER BY min(id)",
    )
    .all(deletedId)
    .map(({ name }) => name);
  for (const table of tables) restoreTable(db, deletedId, table);
  const { columns } = schemaOf(db);
  const links = db.query<{ table: string; column: string }>(
    `SELECT DISTINCT table_name AS "table", column_name AS "column" FROM deleted_links WHERE deleted_id = ?`,
  );
  for (const { column, table } of links.all(deletedId)) {
    if (!columns.get(table)?.includes(column)) continue;
    db.query(
      `UPDATE ${table} SET ${column} = links.value FROM deleted_links AS links
       WHERE links.deleted_id = $deleted AND links.table_name = '${table}' AND links.column_name = '${column}'
         AND ${table}.rowid = links.row_id AND ${table}.${column} IS NULL`,
    ).run({ deleted: deletedId });
  }
}

function restoreTable(db: Database, deletedId: number, table: string): void {
  const schema = schemaOf(db);
  const first = db.query<{ content: string }>(
    "SELECT content FROM deleted_rows WHERE deleted_id = ? AND table_name = ? LIMIT 1",
  );
  // Columns added since get their default, removed ones are dropped.
  const kept = Object.keys(JSON.parse(first.get(deletedId, table)?.content ?? "{}"));
  const columns = (schema.columns.get(table) ?? []).filter((name) => kept.includes(name));
  const keys = schema.keys.filter(({ child, column }) => child === table && columns.includes(column));
  const value = (column: string) => `content ->> '$.${column}'`;
  const isThere = ({ column, parent }: ForeignKey) => `(EXISTS (SELECT 1 FROM ${parent} WHERE id = ${value(column)})
    OR ${value(column)} IN (SELECT content ->> '$.id' FROM deleted_rows WHERE deleted_id = $deleted AND table_name = '${parent}'))`;
  const given = columns.map((column) => {
    const key = keys.find((each) => each.column === column);
    return key?.onDelete === "SET NULL" ? `CASE WHEN ${isThere(key)} THEN ${value(column)} END` : value(column);
  });
  const demands = keys
    .filter(({ onDelete }) => onDelete !== "SET NULL")
    .map((key) => `(${value(key.column)} IS NULL OR ${isThere(key)})`);
  const where = ["deleted_id = $deleted", `table_name = '${table}'`, ...demands].join(" AND ");
  db.query(
    `INSERT OR IGNORE INTO ${table} (${columns.join(", ")})
     SELECT ${given.join(", ")} FROM deleted_rows WHERE ${where} ORDER BY deleted_rows.id`,
  ).run({ deleted: deletedId });
}
