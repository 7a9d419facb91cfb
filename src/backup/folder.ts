import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { makeDirectory, syncPath } from "../git/durable.ts";
import { BackupError } from "./error.ts";
import { type BackupHead, type BackupTotals, MANIFEST, manifestSummary } from "./manifest.ts";

/**
 * A folder of backups:
 *
 *     hearth-20260131T020000Z/   a complete one, with its manifest
 *     .making-…, .removing-…     leftovers of a crashed process; the next backup deletes them
 *     lock.db                    locked while one is made
 */
const NAME = /^hearth-\d{8}T\d{6}Z(-\d+)?$/;
const LEFT_BEHIND = /^\.(making|removing)-hearth-/;

export interface Backup extends BackupHead, BackupTotals {
  readonly name: string;
}

/**
 * Creates the folder of backups, accessible only to its owner. @throws BackupError `inside-data` each backup would
 * contain the previous one
 */
export function makeBackupFolder(folder: string, dataDir: string): void {
  const wanted = realPlace(resolve(folder));
  const data = realpathSync(dataDir);
  if (wanted === data || wanted.startsWith(data + sep)) throw new BackupError("inside-data", folder);
  makeDirectory(folder, 0o700);
}

/** The path with symbolic links resolved, as far as it exists. */
function realPlace(path: string): string {
  if (existsSync(path) || dirname(path) === path) return realpathSync(path);
  return join(realPlace(dirname(path)), path.slice(dirname(path).length));
}

/** The complete backups in a folder, oldest first. */
export function backupNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
    .sort();
}

/** The same, with the contents of their manifests; undefined where one cannot be read. */
export function listBackups(folder: string): { readonly name: string; readonly backup: Backup | undefined }[] {
  return backupNames(folder).map((name) => {
    try {
      return { name, backup: { name, ...manifestSummary(join(folder, name, MANIFEST)) } };
    } catch (error) {
      if (error instanceof BackupError) return { name, backup: undefined };
      throw error;
    }
  });
}

/** When the newest one was started, in milliseconds since 1970, from its name. */
export function lastBackupAt(folder: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^hearth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(backupNames(folder).at(-1) ?? "") ?? [];
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** An unused name. */
export function newName(folder: string, now: number): string {
  const name = `hearth-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  for (let count = 0; ; count++) {
    const found = count === 0 ? name : `${name}-${count}`;
    if (!existsSync(join(folder, found))) return found;
  }
}

/** An empty directory to make a backup in. */
export function beginIn(folder: string, name: string): string {
  for (const left of readdirSync(folder))
    if (LEFT_BEHIND.test(left)) rmSync(join(folder, left), { recursive: true, force: true });
  const making = join(folder, `.making-${name}`);
  mkdirSync(making, { mode: 0o700 });
  return making;
}

/** Publishes it as a complete backup. */
export function finishIn(folder: string, name: string): void {
  renameSync(join(folder, `.making-${name}`), join(folder, name));
  syncPath(folder);
}

/** Removes all but the newest; 0 keeps all. */
export function keepNewest(folder: string, keep: number): void {
  if (keep === 0) return;
  for (const name of backupNames(folder).slice(0, -keep)) {
    renameSync(join(folder, name), join(folder, `.removing-${name}`));
    rmSync(join(folder, `.removing-${name}`), { recursive: true, force: true });
  }
}
