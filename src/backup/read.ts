import { lstatSync, mkdirSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../workers/descriptors.ts";
import { BackupError } from "./error.ts";
import {
  type BackupEntry,
  type BackupHead,
  type BackupTotals,
  MANIFEST,
  ManifestReader,
  writeAll,
} from "./manifest.ts";
import { TarReader } from "./tar.ts";

/** Receives the bytes of one file, in order; `end` is called once their checksum is verified. */
export interface Receiver {
  write(bytes: Uint8Array): void;
  end(): void;
  close(): void;
}

/** Returns a receiver for files that are needed; all files are read and verified in any case. */
export type Deliver = (entry: BackupEntry) => Receiver | undefined;

const PIECE_BYTES = 256 * 1024;

/**
 * Reads a whole backup, a directory or a file, and compares every byte with its manifest.
 * @param scratch a folder for temporary files
 * @throws BackupError something is missing, added, out of place or changed
 */
export function readBackup(source: string, scratch: string, deliver: Deliver): BackupHead & BackupTotals {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new BackupError("no-backup", source);
  return found.isDirectory() ? readFolder(source, deliver) : readFile(source, scratch, deliver);
}

function readFolder(directory: string, deliver: Deliver): BackupHead & BackupTotals {
  if (!isFile(join(directory, MANIFEST))) throw new BackupError("no-backup", directory);
  using manifest = new ManifestReader(join(directory, MANIFEST));
  for (let entry = manifest.next(); entry; entry = manifest.next()) {
    const path = join(directory, entry.path);
    if (!isFile(path)) throw new BackupError("damaged", entry.path);
    const fd = openFile(path, "r");
    try {
      compare(entry, (into) => readSync(fd, into), deliver(entry));
    } finally {
      closeFile(fd);
    }
  }
  const summary = summaryOf(manifest);
  if (countFiles(directory) !== summary.files + 1) throw new BackupError("damaged", directory);
  return summary;
}

function readFile(file: string, scratch: string, deliver: Deliver): BackupHead & BackupTotals {
  using tar = new TarReader(file);
  const first = tar.next();
  if (!first?.path.endsWith(`/${MANIFEST}`)) throw new BackupError("no-backup", file);
  const prefix = first.path.slice(0, -MANIFEST.length);
  const aside = join(scratch, MANIFEST);
  const fd = openFile(aside, "w", 0o600);
  try {
    const piece = new Uint8Array(PIECE_BYTES);
    for (let got = tar.read(piece); got > 0; got = tar.read(piece)) writeAll(fd, piece.subarray(0, got));
  } finally {
    closeFile(fd);
  }
  using manifest = new ManifestReader(aside);
  for (let entry = manifest.next(); entry; entry = manifest.next()) {
    const member = tar.next();
    if (member?.path !== prefix + entry.path) throw new BackupError("damaged", entry.path);
    compare(entry, (into) => tar.read(into), deliver(entry));
  }
  if (tar.next()) throw new BackupError("damaged", file);
  return summaryOf(manifest);
}

function compare(entry: BackupEntry, read: (into: Uint8Array) => number, receiver: Receiver | undefined): void {
  try {
    const hasher = new Bun.CryptoHasher("sha256");
    const piece = new Uint8Array(PIECE_BYTES);
    let sizeBytes = 0;
    for (let got = read(piece); got > 0; got = read(piece)) {
      sizeBytes += got;
      if (sizeBytes > entry.sizeBytes) break;
      hasher.update(piece.subarray(0, got));
      receiver?.write(piece.subarray(0, got));
    }
    if (sizeBytes !== entry.sizeBytes || hasher.digest("hex") !== entry.sha256)
      throw new BackupError("damaged", entry.path);
    receiver?.end();
  } finally {
    receiver?.close();
  }
}

function summaryOf({ head, totals }: ManifestReader): BackupHead & BackupTotals {
  if (!totals) throw new BackupError("damaged", MANIFEST);
  return { ...head, ...totals };
}

/** Excludes symbolic links. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

function countFiles(directory: string): number {
  let count = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    count += entry.isDirectory() ? countFiles(join(directory, entry.name)) : 1;
  return count;
}

/** A receiver that creates a file, flushed, and its directory if necessary. */
export function fileReceiver(path: string, mode: number, sync: (fd: number) => void): Receiver {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const fd = openFile(path, "w", mode);
  return {
    write: (bytes) => writeAll(fd, bytes),
    end: () => sync(fd),
    close: () => closeFile(fd),
  };
}
