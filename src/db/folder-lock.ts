import { Database as Sqlite } from "bun:sqlite";
import { join } from "node:path";

/** Another Hearth is using this data folder. */
export class FolderInUse extends Error {
  override name = "FolderInUse";

  constructor(readonly path: string) {
    super(`${path} is in use by another Hearth`);
  }
}

/**
 * Locks the data folder for as long as the process lives. The lock is the operating system's, on a dedicated file, so a
 * killed process leaves none behind.
 * @throws FolderInUse
 */
export function lockFolder(dataDir: string): { release(): void } {
  const lock = new Sqlite(join(dataDir, "lock.db"), { create: true });
  try {
    lock.run("PRAGMA busy_timeout = 0");
    lock.run("PRAGMA journal_mode = DELETE");
    lock.run("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))) throw error;
    throw new FolderInUse(dataDir);
  }
  return { release: () => lock.close() };
}
