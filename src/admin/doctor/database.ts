import { Database } from "../../db/database.ts";
import { isOurs } from "../../db/lost.ts";
import { SCHEMA_VERSION, schemaVersion } from "../../db/migrate.ts";
import type { FailureParams } from "../../kernel/errors.ts";
import type { Problem } from "./problem.ts";

const MAX_LINES = 20;

/** Checks the whole database with SQLite. Opened read-only, alongside a running server. */
export function checkDatabase(path: string): { problems: Problem[]; schema: number } {
  const problems: Problem[] = [];
  const add = (code: string, params: FailureParams) => problems.push({ code, params, canFix: false });
  let db: Database;
  try {
    db = new Database(path, { readonly: true });
  } catch (error) {
    add("database.cannot-be-opened", { detail: messageOf(error) });
    return { problems, schema: 0 };
  }
  try {
    for (const { integrity_check: line } of db
      .query<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_LINES})`)
      .all())
      if (line !== "ok") add("database.integrity", { detail: line });
    const schema = schemaVersion(db);
    if (!isOurs(db) || schema === 0) {
      add("database.foreign", {});
      return { problems, schema: 0 };
    }
    if (schema > SCHEMA_VERSION) add("database.newer", { found: String(schema), known: String(SCHEMA_VERSION) });
    if (schema < SCHEMA_VERSION) add("database.older", { found: String(schema), known: String(SCHEMA_VERSION) });
    return { problems, schema };
  } catch (error) {
    add("database.cannot-be-read", { detail: messageOf(error) });
    return { problems, schema: 0 };
  } finally {
    db.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
