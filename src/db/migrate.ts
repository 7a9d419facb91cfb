import { existsSync, rmSync } from "node:fs";
import type { CrashPoint } from "../kernel/crash.ts";
import type { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";

/** The database was written by a newer Hearth. */
export class DatabaseTooNew extends Error {
  override name = "DatabaseTooNew";
}

export const SCHEMA_VERSION = migrations.length;

/**
 * Brings the database to this version's schema in one transaction, after copying a non-empty one aside.
 * @returns the version it had before
 * @throws DatabaseTooNew
 */
export function migrate(db: Database, crash: CrashPoint = () => {}): number {
  const before = schemaVersion(db);
  if (before > SCHEMA_VERSION)
    throw new DatabaseTooNew(
      `the database has schema ${before}, this Hearth knows ${SCHEMA_VERSION}: run a newer Hearth, or restore the copy it made before it migrated`,
    );
  if (before === SCHEMA_VERSION) return before;
  if (before > 0) {
    const aside = `${db.path}.before-${SCHEMA_VERSION}`;
    if (existsSync(aside)) rmSync(aside);
    db.copyTo(aside);
  }
  db.transaction(() => {
    for (const [index, sql] of migrations.entries()) if (index >= before) db.execute(sql);
    db.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    crash("migrate.in-transaction");
  });
  crash("migrate.after-transaction");
  return before;
}

export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
}
