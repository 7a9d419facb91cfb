import type { Database } from "../../db/database.ts";

/** Size of the database in bytes, without its log. */
export function databaseSize(db: Database): number {
  const pragma = (name: "page_count" | "page_size") =>
    Number(Object.values(db.query<Record<string, number>>(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  return pragma("page_count") * pragma("page_size");
}

export function sqliteVersion(db: Database): string {
  return db.query<{ version: string }>("SELECT sqlite_version() AS version").get()?.version ?? "";
}
