import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Database } from "../db/database.ts";
import { schemaVersion } from "../db/migrate.ts";
import { makeDirectory, syncPath } from "../git/durable.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { repositoryDirectory } from "../repos/directory.ts";
import { HEARTH_VERSION } from "../version.ts";
import { BackupError } from "./error.ts";
import {
  type BackedUpFile,
  filesBelow,
  linkedFolders,
  makeRepositoryFolders,
  otherNames,
  repositoryFiles,
} from "./files.ts";
import { type Backup, backupNames, beginIn, finishIn, keepNewest, newName } from "./folder.ts";
import { type BackupEntry, MANIFEST, ManifestReader, ManifestWriter } from "./manifest.ts";
import { placeFile } from "./place.ts";
import { digests, folderIds, forgetUnreferencedBlobs } from "./store.ts";

export interface CreateBackup {
  readonly dataDir: string;
  /** The folder of backups: exists, and is locked by the caller. */
  readonly folder: string;
  readonly withKey: boolean;
  /** How many backups to keep; 0: all. */
  readonly keep: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly crash?: CrashPoint;
  /** Throws to cancel. */
  readonly check?: () => void;
}

const MAX_PASSES = 50;
const MAX_FAULTS = 100;

/**
 * Backs up a data directory that may be in use: the database at one instant, then the files it references. These
 * never change, replacements are in place before the old file is deleted, and unreferenced files stay for days; so
 * files may be newer than the instant, but none is missing.
 * @throws BackupError; the file system's error. Nothing is left then.
 */
export function createBackup(options: CreateBackup): Backup {
  const { crash = () => {}, folder, keep, now } = options;
  const name = newName(folder, now);
  const making = beginIn(folder, name);
  try {
    const former = backupNames(folder).at(-1);
    const backup = new BackupMaking(options, making, former === undefined ? undefined : join(folder, former)).make();
    crash("backup.made");
    finishIn(folder, name);
    crash("backup.named");
    keepNewest(folder, keep);
    return { name, ...backup };
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

class BackupMaking {
  private readonly faults: string[] = [];
  private former: ManifestReader | undefined;
  private manifest!: ManifestWriter;

  constructor(
    private readonly options: CreateBackup,
    private readonly making: string,
    private readonly formerDir: string | undefined,
  ) {}

  make(): Omit<Backup, "name"> {
    const { dataDir, now, withKey, crash = () => {} } = this.options;
    const key = withKey ? keyOf(dataDir) : undefined;
    const snapshot = join(this.making, "hearth.db");
    const schema = takeSnapshot(dataDir, snapshot);
    // If the key was replaced meanwhile, it does not match the copied database.
    if (key && !keyOf(dataDir)?.equals(key)) throw new BackupError("key-changed", "secret.key");
    crash("backup.snapshot");
    const head = { version: HEARTH_VERSION, schema, createdAt: now, hasKey: key !== undefined };
    this.manifest = new ManifestWriter(join(this.making, MANIFEST), head);
    const db = new Database(snapshot, { readonly: true });
    try {
      this.former = openFormer(this.formerDir);
      for (const write of this.inOrder(db, key !== undefined)) {
        this.options.check?.();
        write();
      }
      const totals = this.manifest.end(this.faults);
      syncDirectories(this.making);
      return { ...head, ...totals };
    } finally {
      this.former?.[Symbol.dispose]();
      this.manifest.close();
      db.close();
    }
  }

  /** All parts of the backup, in path order. */
  private *inOrder(db: Database, hasKey: boolean): Generator<() => void> {
    const { dataDir } = this.options;
    const tops = [
      "hearth.db",
      "blobs",
      "repositories",
      ...(hasKey ? ["secret.key"] : []),
      ...otherNames(dataDir),
    ].sort();
    const folders = folderIds(db)
      .map((id) => repositoryDirectory("repositories", id))
      .sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
    for (const top of tops) {
      if (top === "blobs") yield* this.blobs(db);
      else if (top === "repositories") for (const path of folders) yield () => this.repository(path);
      else if (top === "hearth.db") yield () => this.addSnapshot();
      else yield () => this.settled(top, () => filesBelow(dataDir, top));
    }
  }

  private addSnapshot(): void {
    const path = join(this.making, "hearth.db");
    const entry = placeFile({
      path: "hearth.db",
      source: path,
      target: `${path}.copy`,
      isImmutable: true,
      former: undefined,
    });
    rmSync(`${path}.copy`, { force: true });
    if (!entry) throw new BackupError("damaged", "hearth.db");
    this.manifest.add(entry);
  }

  private *blobs(db: Database): Generator<() => void> {
    let shelf = "";
    let former: ReadonlyMap<string, BackupEntry> = new Map();
    for (const digest of digests(db))
      yield () => {
        if (!digest.startsWith(shelf) || shelf === "") {
          shelf = digest.slice(0, 2);
          former = this.former?.below(`blobs/${shelf}/`) ?? new Map();
        }
        const path = `blobs/${shelf}/${digest}`;
        const entry = this.place({ path, isImmutable: true }, former);
        if (entry) this.manifest.add(entry);
        if (entry?.sha256 !== digest) this.fault(path);
      };
  }

  private repository(path: string): void {
    const { dataDir } = this.options;
    if (!existsSync(join(dataDir, path))) this.fault(path);
    else {
      for (const linked of linkedFolders(dataDir, path)) this.fault(linked);
      this.settled(path, () => repositoryFiles(dataDir, path));
      makeRepositoryFolders(join(this.making, path));
    }
  }

  /**
   * Copies files until none of a listing has gone by the next, then those that one added: whatever was replaced
   * meanwhile is there in its new form. What can change is copied before what it may name, and once in each pass.
   */
  private settled(path: string, list: () => BackedUpFile[]): void {
    const former = this.former?.below(`${path}/`) ?? new Map<string, BackupEntry>();
    const taken = new Map<string, BackupEntry>();
    const take = (files: readonly BackedUpFile[]): boolean => {
      let isWhole = true;
      for (const file of files) {
        if (file.isImmutable && taken.has(file.path)) continue;
        this.options.check?.();
        const entry = this.place(file, former);
        if (entry) taken.set(file.path, entry);
        else isWhole = false;
      }
      return isWhole;
    };
    let files = list();
    for (let pass = 1; ; pass++) {
      if (pass > MAX_PASSES) throw new BackupError("keeps-changing", path);
      const isWhole = take(files.filter((file) => !file.isImmutable)) && take(files.filter((file) => file.isImmutable));
      const before = files;
      files = list();
      const present = new Set(files.map((file) => file.path));
      const stayed = isWhole && before.every((file) => present.has(file.path));
      if (stayed && take(files.filter((file) => file.isImmutable))) break;
    }
    const last = new Set(files.map((file) => file.path));
    for (const [file, entry] of [...taken].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (last.has(file)) this.manifest.add(entry);
      else rmSync(join(this.making, file), { force: true });
  }

  private place(
    { path, isImmutable }: BackedUpFile,
    former: ReadonlyMap<string, BackupEntry>,
  ): BackupEntry | undefined {
    const target = join(this.making, path);
    if (!existsSync(dirname(target))) makeDirectory(dirname(target), 0o700);
    const entry = former.get(path);
    return placeFile({
      path,
      source: join(this.options.dataDir, path),
      target,
      isImmutable,
      former: entry && this.formerDir !== undefined ? { file: join(this.formerDir, path), entry } : undefined,
    });
  }

  private fault(path: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(path);
  }
}

/** @returns the schema version of the copy */
function takeSnapshot(dataDir: string, target: string): number {
  const live = new Database(join(dataDir, "hearth.db"), { readonly: true });
  try {
    live.copyTo(target);
  } finally {
    live.close();
  }
  const copy = new Database(target);
  try {
    forgetUnreferencedBlobs(copy);
    copy.execute("PRAGMA journal_mode = DELETE");
    return schemaVersion(copy);
  } finally {
    copy.close();
    syncPath(target);
  }
}

function keyOf(dataDir: string): Buffer | undefined {
  const path = join(dataDir, "secret.key");
  return existsSync(path) ? readFileSync(path) : undefined;
}

/** The previous backup's manifest; a damaged one is ignored. */
function openFormer(directory: string | undefined): ManifestReader | undefined {
  if (directory === undefined) return undefined;
  try {
    return new ManifestReader(join(directory, MANIFEST));
  } catch (error) {
    if (error instanceof BackupError) return undefined;
    throw error;
  }
}

/** Flushes the directory and all directories below it. */
function syncDirectories(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) syncDirectories(path);
  }
  syncPath(directory);
}
