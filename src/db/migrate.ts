import { existsSync, rmSync } from "node:fs";
import type { CrashPoint } from "../kernel/crash.ts";
import type { Database } from "./database.ts";
import { countMigrations } from "./migrations/count.macro.ts" with { type: "macro" };
import type { Migration } from "./migrations/index.ts";

/** The database was written by a newer version of Hearth. */
export class DatabaseTooNew extends Error {
  override name = "DatabaseTooNew";

  constructor(
    readonly found: number,
    readonly known: number,
  ) {
    super(
      `the database has schema ${found}, this Hearth knows ${known}: run a newer Hearth, or restore the copy it made before it migrated`,
    );
  }
}

/** A migration that rebuilds tables lost rows that others refer to. */
export class DanglingReferences extends Error {
  override name = "DanglingReferences";
  constructor(rows: readonly { readonly table: string; readonly parent: string }[]) {
    const pairs = new Set(rows.map(({ table, parent }) => `${table} to ${parent}`));
    super(`the migrated database has ${rows.length} references that lead nowhere: ${[...pairs].join(", ")}`);
  }
}

export const SCHEMA_VERSION: number = countMigrations();

/**
 * Migrates the database to this version's schema in one transaction, after copying a non-empty one aside.
 * @returns the version it had before
 * @throws DatabaseTooNew; DanglingReferences if a rebuilt table left references to missing rows; nothing is changed
 * then
 */
export function migrate(db: Database, crash: CrashPoint = () => {}, given?: readonly Migration[]): number {
  const before = schemaVersion(db);
  const target = given?.length ?? SCHEMA_VERSION;
  if (before > target) throw new DatabaseTooNew(before, target);
  if (before === target) return before;
  if (before > 0) {
    const aside = `${db.path}.before-${target}`;
    if (existsSync(aside)) rmSync(aside);
    db.copyTo(aside);
  }
  const steps = given ?? (require("./migrations/index.ts") as typeof import("./migrations/index.ts")).migrations;
  const pending = steps.slice(before);
  const apply = () =>
    db.transaction(() => {
      for (const { sql } of pending) db.execute(sql);
      db.execute(`PRAGMA user_version = ${target}`);
      crash("migrate.in-transaction");
    });
  if (pending.some(({ rebuildsTables }) => rebuildsTables)) rebuilding(db, apply);
  else apply();
  crash("migrate.after-transaction");
  return before;
}

/**
 * SQLite's own procedure for rebuilding tables (sqlite.org/lang_altertable.html, section 7). Foreign keys can only be
 * switched outside a transaction; with `legacy_alter_table`, renaming leaves views and references to the replaced table
 * untouched.
 */
function rebuilding(db: Database, apply: () => void): void {
  db.execute("PRAGMA foreign_keys = OFF");
  db.execute("PRAGMA legacy_alter_table = ON");
  try {
    db.transaction(() => {
      const sequences = readSequences(db);
      apply();
      keepSequences(db, sequences);
      const dangling = db.query<{ table: string; parent: string }>("PRAGMA foreign_key_check").all();
      if (dangling.length > 0) throw new DanglingReferences(dangling);
    });
  } finally {
    db.execute("PRAGMA legacy_alter_table = OFF");
    db.execute("PRAGMA foreign_keys = ON");
  }
}

interface Sequence {
  readonly name: string;
  readonly seq: number;
}

function readSequences(db: Database): Sequence[] {
  const exists = db.query("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").get() !== null;
  return exists ? db.query<Sequence>("SELECT name, seq FROM sqlite_sequence").all() : [];
}

/** A rebuilt table would continue from its largest row; ids of deleted rows must never be reused. */
function keepSequences(db: Database, before: readonly Sequence[]): void {
  for (const { name, seq } of before) {
    const isThere = db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== null;
    if (!isThere) continue;
    const changed = db.query("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?").run(seq, name).changes;
    if (changed === 0) db.query("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, seq);
  }
}

export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
}
