import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../src/config/schema.ts";
import { Database } from "../src/db/database.ts";
import { lockFolder } from "../src/db/folder-lock.ts";
import { SCHEMA_VERSION, schemaVersion } from "../src/db/migrate.ts";
import { makeLog } from "../src/kernel/log.ts";
import { openHouse, type Services } from "../src/services.ts";
import { configOf, type Options, UsageError } from "./arguments.ts";
import { say } from "./language.ts";

/** @throws UsageError when the configured folder has no Hearth data: a mistyped path must not create a new instance */
export function requireDataFolder(config: Config): void {
  if (!existsSync(join(config.data, "hearth.db"))) throw new UsageError(say("noDataFolder", { path: config.data }));
}

/**
 * Runs `work` with the services of the data folder, whether or not a server is running.
 * @throws UsageError when there is no such folder; FolderInUse when the database must be migrated first and a server is
 * using it
 */
export async function withServices<T>(options: Options, work: (services: Services) => Promise<T> | T): Promise<T> {
  process.umask(0o077);
  const { config } = configOf(options);
  requireDataFolder(config);
  // A running server of an older version must not have its tables changed underneath it.
  const lock = isBehind(config) ? lockFolder(config.data) : undefined;
  const house = openHouse(config, makeLog({ level: "warn", format: "text", write: console.error }));
  try {
    return await work(house.services);
  } finally {
    house.close();
    lock?.release();
  }
}

function isBehind(config: Config): boolean {
  const db = new Database(join(config.data, "hearth.db"), { readonly: true });
  try {
    return schemaVersion(db) < SCHEMA_VERSION;
  } finally {
    db.close();
  }
}
