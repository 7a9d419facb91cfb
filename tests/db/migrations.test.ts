import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/db/database.ts";
import { DanglingReferences, migrate, SCHEMA_VERSION, schemaVersion } from "../../src/db/migrate.ts";
import { type Migration, migrations } from "../../src/db/migrations/index.ts";

let dir: string;
let db: Database;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hearth-db-"));
  db = new Database(join(dir, "a.db"));
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

test("every file of a migration stands in the list, and the schema's number is that of the last", () => {
  expect(migrations.length).toBe(SCHEMA_VERSION);
});

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/** Without indexes of texts and what they are made of. */
const tables = () =>
  db
    .query<{ name: string }>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);

const dump = () =>
  Object.fromEntries(tables().map((name) => [name, db.query<object>(`SELECT * FROM "${name}" ORDER BY 1`).all()]));

const columnsOf = (table: string) => db.query<Column>(`PRAGMA table_info("${table}")`).all();

/** A value that the column's CHECK takes, or what any column of the type takes; of a reference, what it refers to. */
function valueFor(table: string, column: Column): string | number | Uint8Array {
  const sql = db.query<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name = ?").get(table)?.sql ?? "";
  const choice = new RegExp(`CHECK \\(${column.name} IN \\('([^']+)'`).exec(sql)?.[1];
  if (choice !== undefined) return choice;
  const length = new RegExp(`CHECK \\(length\\(${column.name}\\) = (\\d+)\\)`).exec(sql)?.[1];
  if (length !== undefined) return "x".repeat(Number(length));
  const references = db.query<{ table: string; from: string; to: string | null }>(
    `PRAGMA foreign_key_list("${table}")`,
  );
  const reference = references.all().find(({ from }) => from === column.name);
  const target = reference && columnsOf(reference.table).find(({ name }) => name === reference.to);
  if (reference && target) return valueFor(reference.table, target);
  if (column.type === "BLOB") return new Uint8Array([1]);
  return column.type === "INTEGER" || column.type === "REAL" ? 1 : "x";
}

/** A row in every table, each with id 1 and referring to the rows with id 1 of the others. */
function fillEveryTable(): void {
  db.execute("PRAGMA foreign_keys = OFF");
  // Conditions over several columns are not looked at.
  db.execute("PRAGMA ignore_check_constraints = ON");
  for (const table of tables()) {
    const given = columnsOf(table).filter(
      ({ notnull, dflt_value, pk }) => pk > 0 || (notnull === 1 && dflt_value === null),
    );
    const names = given.map(({ name }) => name).join(", ");
    // A migration may have brought rows of its own.
    db.query(`INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${given.map(() => "?").join(", ")})`).run(
      ...given.map((column) => valueFor(table, column)),
    );
  }
  db.execute("PRAGMA ignore_check_constraints = OFF");
  db.execute("PRAGMA foreign_keys = ON");
  expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
}

const createUsers = () =>
  db.query<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name = 'users'").get()?.sql ?? "";

/** Puts a new `users` in the place of the old one. */
const rebuildOfUsers = (rows: string): Migration => ({
  rebuildsTables: true,
  sql: `${createUsers().replace(/CREATE TABLE "?users"?/, "CREATE TABLE new_users")};
        INSERT INTO new_users ${rows};
        DROP TABLE users;
        ALTER TABLE new_users RENAME TO users;
        CREATE INDEX users_by_kind ON users (kind, lower_login);`,
});

describe("a migration that rebuilds a table", () => {
  test("keeps every row of every table: sessions and all else stay when `users` is rebuilt", () => {
    migrate(db);
    fillEveryTable();
    const before = dump();
    for (const rows of Object.values(before)) expect(rows).not.toEqual([]);
    migrate(db, undefined, [...migrations, rebuildOfUsers("SELECT * FROM users")]);
    expect(schemaVersion(db)).toBe(migrations.length + 1);
    expect(dump()).toEqual(before);
    expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.query("SELECT id FROM session_users WHERE id > 0").all()).toEqual([{ id: 1 }]);
    db.execute("DELETE FROM repositories");
    db.execute("DELETE FROM users");
    expect(db.query("SELECT * FROM sessions").all()).toEqual([]);
  });

  test("never hands an id out again that a deleted row had", () => {
    migrate(db);
    fillEveryTable();
    db.query("UPDATE sqlite_sequence SET seq = 77 WHERE name = 'users'").run();
    migrate(db, undefined, [...migrations, rebuildOfUsers("SELECT * FROM users")]);
    const made = db.query<{ id: number }>(
      "INSERT INTO users (login, lower_login, email, created_at, updated_at) VALUES ('b', 'b', 'b@x', 1, 1) RETURNING id",
    );
    expect(made.get()?.id).toBe(78);
  });

  test("that loses rows others refer to changes nothing", () => {
    migrate(db);
    fillEveryTable();
    const before = dump();
    const loses = [...migrations, rebuildOfUsers("SELECT * FROM users WHERE id > 1")];
    expect(() => migrate(db, undefined, loses)).toThrow(DanglingReferences);
    expect(schemaVersion(db)).toBe(migrations.length);
    expect(dump()).toEqual(before);
    expect(() => db.execute("INSERT INTO collaborators VALUES (9, 9, 'read', 1)")).toThrow("FOREIGN KEY");
  });
});

test("the upgrade to events and jobs of this version keeps what waits, under the present names", () => {
  migrate(db, undefined, migrations.slice(0, 2));
  db.execute(
    `INSERT INTO events (id, kind, repo_id, actor_id, payload, created_at) VALUES (7, 'repo.created', 1, 2, '{"name":"r"}', 5);
     INSERT INTO event_cursors VALUES ('upkeep', 6), ('activity', 7);
     INSERT INTO jobs (id, kind, payload, unique_key, state, run_at, attempts, last_error, created_at) VALUES
       (3, 'repository.refresh', '{"repoId":1}', 'repository.refresh:1', 'running', 5, 1, NULL, 5),
       (4, 'repository.repack', '{"repoId":1}', NULL, 'failed', 5, 8, 'no', 5),
       (9, 'repositories.nightly', '{}', 'repositories.nightly', 'waiting', 5, 0, NULL, 5);`,
  );
  migrate(db);
  expect(db.query("SELECT * FROM event_cursors ORDER BY consumer").all()).toEqual([
    { consumer: "activity", event_id: 7 },
    { consumer: "maintenance", event_id: 6 },
  ]);
  expect(db.query<object>("SELECT id, user_id, version, via FROM events").all()).toEqual([
    { id: 7, user_id: 2, version: 1, via: "" },
  ]);
  expect(db.query<object>("SELECT id, kind, state, attempts, finished_at FROM jobs").all()).toEqual([
    { id: 3, kind: "repository.refresh", state: "running", attempts: 1, finished_at: null },
    { id: 4, kind: "repository.repack", state: "failed", attempts: 8, finished_at: 5 },
  ]);
  const made = db.query<{ id: number }>(
    "INSERT INTO jobs (kind, payload, run_at, created_at) VALUES ('k', '{}', 1, 1) RETURNING id",
  );
  expect(made.get()?.id).toBe(10);
});
