import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import { schemaVersion } from "./migrate.ts";

/** There is no database of ours where there was one. A new one in its place would hide all that lies beside it. */
export class DatabaseLost extends Error {
  override name = "DatabaseLost";

  /** @param reason missing: it is not there, or empty; foreign: it is another program's */
  constructor(
    readonly path: string,
    readonly reason: "missing" | "foreign",
  ) {
    super(`${path} is ${reason === "missing" ? "missing or empty" : "no database of Hearth"}`);
  }
}

/** SQLite writes no shorter file. */
const MIN_BYTES = 512;
const SHELF = /^[0-9a-f]{2}$/;

export function hasDatabase(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= MIN_BYTES;
}

/** To be asked before one is made. @throws DatabaseLost there is none, and repositories or uploaded files are there */
export function requireNothingBeside(path: string, dataDir: string): void {
  if (hasDatabase(path)) return;
  for (const folder of ["repositories", "blobs"].map((name) => join(dataDir, name)))
    if (existsSync(folder) && statSync(folder).isDirectory() && readdirSync(folder).some((name) => SHELF.test(name)))
      throw new DatabaseLost(path, "missing");
}

/** Whether it has our tables, or none yet. */
export function isOurs(db: Database): boolean {
  const tables = db.query<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return schemaVersion(db) === 0 ? tables.length === 0 : tables.some(({ name }) => name === "users");
}

/** @throws DatabaseLost it is another program's */
export function requireOurs(db: Database): void {
  if (!isOurs(db)) throw new DatabaseLost(db.path, "foreign");
}
