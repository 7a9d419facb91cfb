import { fstatSync, fsyncSync, linkSync, lstatSync, readSync, rmSync, statSync } from "node:fs";
import { closeFile, openFile } from "../workers/descriptors.ts";
import { type BackupEntry, writeAll } from "./manifest.ts";

const PIECE_BYTES = 256 * 1024;
const piece = new Uint8Array(PIECE_BYTES);

/** A file in the previous backup, with its manifest entry. */
export interface Former {
  readonly file: string;
  readonly entry: BackupEntry;
}

export interface Placing {
  readonly path: string;
  readonly source: string;
  readonly target: string;
  readonly isImmutable: boolean;
  readonly former: Former | undefined;
}

/**
 * Puts a file into a backup: a link to the previous backup's, which costs nothing, else a link to the data
 * directory's, else a flushed copy.
 * @returns undefined if the file has gone, or is not a regular file
 */
export function placeFile({ path, source, target, isImmutable, former }: Placing): BackupEntry | undefined {
  // Settings may be symbolic links; files named by Hearth never are, and a planted link could point anywhere.
  const found = (isImmutable ? lstatSync : statSync)(source, { throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  const isExecutable = (found.mode & 0o100) !== 0;
  if (isImmutable && former && former.entry.sizeBytes === found.size && isThere(former) && link(former.file, target))
    return { ...former.entry, isExecutable };
  const isLinked = isImmutable && link(source, target);
  let from: number;
  try {
    from = openFile(isLinked ? target : source, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return { path, ...copyHashed(from, isLinked ? undefined : target), isExecutable };
  } finally {
    closeFile(from);
  }
}

/** Reads a file to its end, and writes it, flushed, to `target`, replacing what is there. */
function copyHashed(from: number, target: string | undefined): { sha256: string; sizeBytes: number } {
  const hasher = new Bun.CryptoHasher("sha256");
  if (target !== undefined) rmSync(target, { force: true });
  const to = target === undefined ? undefined : openFile(target, "wx", (fstatSync(from).mode & 0o100) | 0o600);
  try {
    let sizeBytes = 0;
    for (let got = readSync(from, piece); got > 0; got = readSync(from, piece)) {
      const part = piece.subarray(0, got);
      hasher.update(part);
      if (to !== undefined) writeAll(to, part);
      sizeBytes += got;
    }
    if (to !== undefined) fsyncSync(to);
    return { sha256: hasher.digest("hex"), sizeBytes };
  } finally {
    if (to !== undefined) closeFile(to);
  }
}

const isThere = ({ file, entry }: Former): boolean =>
  statSync(file, { throwIfNoEntry: false })?.size === entry.sizeBytes;

/** Whether the file system supports it: not across devices, not everywhere, and only up to a number of links. */
function link(source: string, target: string): boolean {
  try {
    rmSync(target, { force: true });
    linkSync(source, target);
    return true;
  } catch (error) {
    if (isMissing(error) || CANNOT_LINK.test(error instanceof Error && "code" in error ? String(error.code) : ""))
      return false;
    throw error;
  }
}

const CANNOT_LINK = /^(EXDEV|EPERM|EMLINK|ENOTSUP|EOPNOTSUPP|ENOSYS|EACCES)$/;

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
