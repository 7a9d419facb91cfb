import { existsSync, fsyncSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../git/durable.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { BackupError } from "./error.ts";
import { makeRepositoryFolders } from "./files.ts";
import { type BackupHead, type BackupTotals, MANIFEST } from "./manifest.ts";
import { fileReceiver, readBackup } from "./read.ts";
import { requireSound } from "./verify.ts";

/**
 * The database's name until the restore is complete. No server starts without a database, and the next attempt starts
 * over.
 */
const UNFINISHED = "hearth.db.restoring";
const LOCK = /^lock\.db/;

/**
 * Creates a data directory from a backup. The database gets its name last, so that an interrupted restore is not
 * mistaken for a data directory.
 * @throws BackupError the folder is not empty; the backup is damaged, or of a newer Hearth
 */
export function restoreBackup(
  source: string,
  dataDir: string,
  crash: CrashPoint = () => {},
): BackupHead & BackupTotals {
  requireEmpty(dataDir);
  const unfinished = join(dataDir, UNFINISHED);
  writeFileSync(unfinished, "", { mode: 0o600 });
  let latest: string | undefined;
  const summary = readBackup(source, dataDir, ({ path, isExecutable }) => {
    crash("restore.file");
    const target = path === "hearth.db" ? unfinished : join(dataDir, path);
    const repository = /^repositories\/[^/]+\/[^/]+\.git(?=\/)/.exec(path)?.[0];
    if (repository !== undefined && repository !== latest) makeRepositoryFolders(join(dataDir, repository));
    latest = repository;
    return fileReceiver(target, isExecutable ? 0o700 : 0o600, fsyncSync);
  });
  rmSync(join(dataDir, MANIFEST), { force: true });
  requireSound(unfinished);
  syncBelow(dataDir);
  crash("restore.written");
  renameSync(unfinished, join(dataDir, "hearth.db"));
  syncPath(dataDir);
  return summary;
}

/**
 * To be called before creating anything there. Deletes what an interrupted restore left. @throws BackupError
 * `not-empty`
 */
function requireEmpty(dataDir: string): void {
  if (!existsSync(dataDir)) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const names = readdirSync(dataDir).filter((name) => !LOCK.test(name));
  if (names.length > 0 && !names.includes(UNFINISHED)) throw new BackupError("not-empty", dataDir);
  // The file that marks the rest as deletable goes last.
  for (const name of [...names.filter((found) => found !== UNFINISHED), UNFINISHED])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

function syncBelow(directory: string): void {
  for (const name of readdirSync(directory))
    if (statSync(join(directory, name)).isDirectory()) syncBelow(join(directory, name));
  syncPath(directory);
}
