import { readdirSync } from "node:fs";

/**
 * Run by the bundler (`with { type: "macro" }`), so that a start knows the schema version without loading the
 * migrations.
 */
export function countMigrations(): number {
  return readdirSync(import.meta.dir).filter((name) => name.endsWith(".sql")).length;
}
