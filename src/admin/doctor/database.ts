import { Database } from "../../db/database.ts";
import { SCHEMA_VERSION, schemaVersion } from "../../db/migrate.ts";
import type { Problem } from "./problem.ts";

const MAX_LINES = 20;

/** Reads the whole database and reports what SQLite finds. Opens it for reading only, next to a running server. */
export function checkDatabase(path: string): { problems: Problem[]; schema: number } {
  const problems: Problem[] = [];
  const add = (message: string) => problems.push({ message, canFix: false });
  let db: Database;
  try {
    db = new Database(path, { readonly: true });
  } catch (error) {
    add(`cannot be opened: ${words(error)}`);
    return { problems, schema: 0 };
  }
  try {
    for (const { integrity_check: line } of db
      .query<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_LINES})`)
      .all())
      if (line !== "ok") add(line);
    for (const { table, parent } of db
      .query<{ table: string; parent: string }>("PRAGMA foreign_key_check")
      .all()
      .slice(0, MAX_LINES))
      add(`a row of ${table} refers to a row of ${parent} that does not exist`);
    const schema = schemaVersion(db);
    if (schema > SCHEMA_VERSION) add(`has schema ${schema}, this Hearth knows ${SCHEMA_VERSION}: run a newer Hearth`);
    if (schema < SCHEMA_VERSION)
      add(`has schema ${schema}, this Hearth has ${SCHEMA_VERSION}: "hearth serve" will bring it up to date`);
    return { problems, schema };
  } catch (error) {
    add(`cannot be read: ${words(error)}`);
    return { problems, schema: 0 };
  } finally {
    db.close();
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
