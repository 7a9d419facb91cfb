import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { schemaVersion } from "./migrate.ts";

/** Hearth's database is missing where one must have existed. Creating a new one would hide all the data next to it. */
export class DatabaseLost extends Error {
  override name = "DatabaseLost";

  /** @param reason missing: it does not exist or is empty; foreign: it belongs to another program */
  constructor(
    readonly path: string,
    readonly reason: "missing" | "foreign",
  ) {
    super(`${path} is ${reason === "missing" ? "missing or empty" : "no database of Hearth"}`);
  }
}

/** SQLite never writes a shorter file. */
const MIN_BYTES = 512;
const SHELF = /^[0-9a-f]{2}$/;

export function hasDatabase(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= MIN_BYTES;
}

/**
 * Must be called before a database is created. @throws DatabaseLost if it is missing but repositories or uploaded files
 * exist
 */
export function requireNothingBeside(path: string, dataDir: string): void {
  if (hasDatabase(path)) return;
  for (const folder of ["repositories", "blobs"].map((name) => join(dataDir, name)))
    if (existsSync(folder) && statSync(folder).isDirectory() && readdirSync(folder).some((name) => SHELF.test(name)))
      throw new DatabaseLost(path, "missing");
}

/** Whether it contains Hearth's tables, or is still empty. */
export function isOurs(db: Database): boolean {
  const tables = db.query<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return schemaVersion(db) === 0 ? tables.length === 0 : tables.some(({ name }) => name === "users");
}

/** @throws DatabaseLost if it belongs to another program */
export function requireOurs(db: Database): void {
  if (!isOurs(db)) throw new DatabaseLost(db.path, "foreign");
}
