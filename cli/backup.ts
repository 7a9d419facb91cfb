import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { createBackup } from "../src/backup/create.ts";
import { listBackups, makeBackupFolder } from "../src/backup/folder.ts";
import { restoreBackup } from "../src/backup/restore.ts";
import { writeTar } from "../src/backup/tar.ts";
import { verifyBackup } from "../src/backup/verify.ts";
import type { Config } from "../src/config/schema.ts";
import { lockFolder } from "../src/db/folder-lock.ts";
import { makeDirectory } from "../src/git/durable.ts";
import { crashPoints } from "../src/kernel/crash.ts";
import { configOf, flagOption, type Options, textOption, UsageError } from "./arguments.ts";
import { requireDataFolder, withServices } from "./data.ts";
import type { Command } from "./dispatch.ts";
import { say } from "./language.ts";
import { aligned } from "./output.ts";

/** `hearth backup create`: with or without a running server. */
const createCommand: Command = {
  name: "backup create",
  doc: "help-backup-create",
  options: [
    { flags: "--to <dir>", doc: "help-backup-to" },
    { flags: "--file <file>", doc: "help-backup-file" },
    { flags: "--keep <n>", doc: "help-backup-keep" },
    { flags: "--without-key", doc: "help-backup-without-key" },
  ],
  run: (options) => {
    process.umask(0o077);
    const { config } = configOf(options);
    requireDataFolder(config);
    const file = textOption(options, "file");
    const withKey = !(flagOption(options, "without-key") ?? !config["backup.with_key"]);
    if (file === undefined) intoFolder(config, folderOf(options, config), withKey, keepOf(options, config));
    else intoFile(config, file, withKey);
  },
};

function intoFolder(config: Config, folder: string, withKey: boolean, keep: number): void {
  makeBackupFolder(folder, config.data);
  const lock = lockFolder(folder);
  try {
    const made = createBackup({ dataDir: config.data, folder, withKey, keep, now: Date.now(), crash: crash() });
    for (const path of made.faults) console.error(say("backupLacks", { path }));
    console.log(say("backupMade", { path: join(folder, made.name), files: made.files, bytes: made.bytes }));
    if (made.faults.length > 0) process.exitCode = 1;
  } finally {
    lock.release();
  }
}

/**
 * Collects the files as hard links in the data folder, which costs nothing, and writes them out one after the other.
 */
function intoFile(config: Config, file: string, withKey: boolean): void {
  const folder = join(config.data, "cache.backup");
  makeDirectory(folder, 0o700);
  const lock = lockFolder(folder);
  const isPipe = file === "-";
  const partial = `${file}.partial`;
  try {
    const made = createBackup({ dataDir: config.data, folder, withKey, keep: 1, now: Date.now(), crash: crash() });
    for (const path of made.faults) console.error(say("backupLacks", { path }));
    const to = isPipe ? 1 : openSync(partial, "w", 0o600);
    try {
      writeTar(join(folder, made.name), made.name, to);
      if (!isPipe) fsyncSync(to);
    } finally {
      if (!isPipe) closeSync(to);
    }
    if (isPipe) return;
    renameSync(partial, file);
    console.log(say("backupMade", { path: file, files: made.files, bytes: made.bytes }));
    if (made.faults.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!isPipe) rmSync(partial, { force: true });
    throw error;
  } finally {
    lock.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `hearth backup list`: oldest first. */
const listCommand: Command = {
  name: "backup list",
  doc: "help-backup-list",
  options: [{ flags: "--from <dir>", doc: "help-backup-from" }],
  run: (options) => {
    const { config } = configOf(options);
    const rows = listBackups(textOption(options, "from") ?? folderOf(options, config)).map(({ name, backup }) =>
      backup
        ? [
            name,
            new Date(backup.createdAt).toISOString(),
            String(backup.files),
            String(backup.bytes),
            String(backup.schema),
            backup.hasKey ? "key" : "-",
          ]
        : [name, "-", "-", "-", "-", "damaged"],
    );
    for (const line of aligned([["Name", "Instant", "Files", "Bytes", "Schema", "Holds"], ...rows])) console.log(line);
  },
};

/** `hearth backup verify <backup>`: a folder or a file. */
const verifyCommand: Command = {
  name: "backup verify",
  positional: "<backup>",
  doc: "help-backup-verify",
  options: [],
  run: async (_, [source]) => {
    if (!source) throw new UsageError(say("required", { name: "backup" }));
    const { bytes, faults, files } = await verifyBackup(source);
    for (const path of faults) console.error(say("backupLacks", { path }));
    console.log(say("backupSound", { files, bytes }));
    if (faults.length > 0) process.exitCode = 1;
  },
};

/** `hearth backup restore <backup> --data NEW`. */
const restoreCommand: Command = {
  name: "backup restore",
  positional: "<backup>",
  doc: "help-backup-restore",
  options: [{ flags: "--force", doc: "help-backup-force" }],
  run: async (options, [source]) => {
    if (!source) throw new UsageError(say("required", { name: "backup" }));
    process.umask(0o077);
    const path = textOption(options, "data");
    if (path === undefined) throw new UsageError(say("required", { name: "data" }));
    if (flagOption(options, "force")) putAside(path);
    const { bytes, faults, files, hasKey } = restoreBackup(source, resolve(path), crash());
    for (const lost of faults) console.error(say("backupLacks", { path: lost }));
    if (hasKey)
      await withServices(options, ({ folders, refs }) => {
        for (const { id } of folders.all()) refs.project(id, { breakLocks: true });
        refs.settle();
      });
    console.log(say("backupRestored", { path, files, bytes }));
    if (!hasKey) console.log(say("backupWithoutKey", { path: join(path, "secret.key") }));
  },
};

/** Renames the existing folder out of the way. @throws FolderInUse when a server is using it */
function putAside(path: string): void {
  if (!existsSync(path)) return;
  const lock = lockFolder(path);
  try {
    renameSync(path, `${path}.before-${Date.now()}`);
  } finally {
    lock.release();
  }
}

function folderOf(options: Options, config: Config): string {
  const folder = textOption(options, "to") ?? config["backup.folder"];
  if (folder === "") throw new UsageError(say("required", { name: "to" }));
  return folder;
}

/** @throws UsageError when it is not a number */
function keepOf(options: Options, config: Config): number {
  const text = textOption(options, "keep");
  // A folder named by the user may hold older backups that we must not remove unless asked.
  if (text === undefined) return textOption(options, "to") === undefined ? config["backup.keep"] : 0;
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(say("mustBeNumber", { name: "keep" }));
  return Number(text);
}

const crash = () => crashPoints(process.env["HEARTH_CRASH_AT"]);

export const backupCommands: readonly Command[] = [createCommand, listCommand, verifyCommand, restoreCommand];
