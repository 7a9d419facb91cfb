import { readdirSync } from "node:fs";

/** Run by the bundler (`with { type: "macro" }`): a start knows the schema's number without loading how it came to be. */
export function countMigrations(): number {
  return readdirSync(import.meta.dir).filter((name) => name.endsWith(".sql")).length;
}
