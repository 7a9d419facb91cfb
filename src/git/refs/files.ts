import {
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { closeFile, openFile, readFile } from "../../workers/descriptors.ts";
import { GitError } from "../errors.ts";
import { decodeName, systemPath } from "../objects/names.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { compareRefNames, isRefName } from "./names.ts";
import { type PackedRefs, parsePackedRefs } from "./packed-refs.ts";

/** Reads and durably replaces the files in which a repository stores its refs. */

/** Another process holds the lock file: real git, or one of ours that is alive or whose death we cannot detect. */
export class RefsLocked extends GitError {
  override name = "RefsLocked";
  constructor(readonly lockPath: string) {
    super(`${lockPath} exists: the refs are locked`);
  }
}

/** Error codes for a path with no file; a ref name may be longer than any file name can be. */
const NO_FILE: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

const missing = (error: unknown): boolean => error instanceof Error && "code" in error && NO_FILE.has(error.code);

/** A file's text; undefined when there is no file. Escaped bytes (objects/names.ts) in `path` are used as such. */
export function readText(path: string): string | undefined {
  const bytes = readBytes(path);
  return bytes && decodeName(bytes);
}

function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFile(systemPath(path));
  } catch (error) {
    if (missing(error) || (error instanceof Error && "code" in error && error.code === "EISDIR")) return undefined;
    throw error;
  }
}

/**
 * Takes `<path>.lock` as git does: its creator may replace the file. The lock records its holder, so that one
 * left behind by a killed process blocks no one.
 * @throws RefsLocked
 */
export function takeLock(path: string): number {
  const lockPath = `${path}.lock`;
  const fd = createLock(lockPath) ?? (takeFromDead(lockPath) ? createLock(lockPath) : undefined);
  if (fd === undefined) throw new RefsLocked(lockPath);
  try {
    writeSync(fd, nameOfHolder());
  } catch {
    // The disk is full: a lock without a holder name is still as good as git's own.
  }
  return fd;
}

/** Process id and host name, as git writes them to `gc.pid`. */
export function nameOfHolder(): string {
  return `${process.pid} ${hostname()}`;
}

/** Whether a name from `nameOfHolder` is that of a dead process on this machine. */
export function isHolderDead(name: string): boolean {
  const [, pid, machine] = /^(\d+) (.+)$/.exec(name) ?? [];
  if (pid === undefined || machine !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Returns undefined when the lock already exists. */
function createLock(lockPath: string): number | undefined {
  try {
    return openFile(systemPath(lockPath), "wx", 0o644);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return undefined;
    throw error;
  }
}

/** Moves a dead process's lock out of the way. If two try, the second finds a different lock and puts it back. */
function takeFromDead(lockPath: string): boolean {
  if (!isHolderDead(readText(lockPath) ?? "")) return false;
  // Not a valid ref name either.
  const aside = `${lockPath}.${crypto.randomUUID()}.lock`;
  try {
    renameSync(systemPath(lockPath), systemPath(aside));
    const isDead = isHolderDead(readText(aside) ?? "");
    if (!isDead) linkSync(systemPath(aside), systemPath(lockPath));
    return isDead;
  } catch (error) {
    if (missing(error)) return true;
    throw error;
  } finally {
    removeFile(aside);
  }
}

/** Releases a lock without a change. `fd` is undefined when it is already closed. */
export function dropLock(path: string, fd: number | undefined): void {
  if (fd !== undefined) closeFile(fd);
  removeFile(`${path}.lock`);
}

/**
 * Replaces the file durably under its lock and releases the lock, even on failure: on a full disk the old content
 * stays and the next writer is not locked out. The content goes to a separate file, so the lock names its holder to the
 * end.
 */
export function replaceThroughLock(path: string, fd: number, content: string | Uint8Array): void {
  // Another invalid ref name.
  const beside = `${path}.${crypto.randomUUID()}.lock`;
  try {
    writeThrough(openFile(systemPath(beside), "wx", 0o644), content);
    renameSync(systemPath(beside), systemPath(path));
    syncDirectory(parentOf(path));
  } catch (error) {
    removeFile(beside);
    throw error;
  } finally {
    dropLock(path, fd);
  }
}

/** Removes files left in the directory by processes killed during a replacement. Call it only when none is running. */
export function sweepReplacements(directory: string): void {
  for (const { name } of entriesOf(directory))
    if (/\.[0-9a-f-]{36}\.lock$/.test(name)) removeFile(join(directory, name));
}

/** Writes the new content into a lock file, durably, and closes it. */
export function writeThrough(fd: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  try {
    ftruncateSync(fd);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, at);
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** Renames the lock file over the file, durably. */
export function putInPlace(path: string): void {
  renameSync(systemPath(`${path}.lock`), systemPath(path));
  syncDirectory(parentOf(path));
}

/** Makes renames and removals in a directory durable. */
export function syncDirectory(directory: string): void {
  const fd = openFile(systemPath(directory), "r");
  try {
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(systemPath(path));
  } catch (error) {
    if (!missing(error)) throw error;
  }
}

/** Reads `HEAD`: the ref it names, or the id when it is detached; undefined when it is neither. */
export function readHead(repoDir: string): { readonly ref: string } | { readonly oid: Oid } | undefined {
  return readSymbolicOrOid(join(repoDir, "HEAD"));
}

/** As `readHead`, for the file of any ref. */
export function readSymbolicOrOid(path: string): { readonly ref: string } | { readonly oid: Oid } | undefined {
  const text = readText(path)?.trim();
  if (text === undefined) return undefined;
  if (text.startsWith("ref:")) return { ref: text.slice(4).trim() };
  return isOid(text) ? { oid: text } : undefined;
}

/** A cheap stamp of a file's state. It always changes when the file is replaced by rename. */
export function fileStamp(path: string): string {
  const stat = statSync(systemPath(path), { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}.${stat.mtimeNs}.${stat.size}` : "-";
}

export function readPackedRefs(repoDir: string): PackedRefs {
  return findPackedRefs(repoDir) ?? { refs: [], fullyPeeled: false, isWhole: true, sealVersion: undefined };
}

/** As `readPackedRefs`; undefined when there is no such file, as in a repository whose refs are all loose. */
export function findPackedRefs(repoDir: string): PackedRefs | undefined {
  const bytes = readBytes(join(repoDir, "packed-refs"));
  return bytes && parsePackedRefs(bytes);
}

/** The id in a loose ref file; undefined when there is none or it is symbolic. */
export function readLooseRef(repoDir: string, name: string): Oid | undefined {
  const text = readText(`${repoDir}/${name}`)?.trim();
  return text !== undefined && isOid(text) ? text : undefined;
}

/** Every loose ref below `refs/`, sorted by name; skips lock files and invalid ref names. */
export function readLooseRefs(repoDir: string): { name: string; oid: Oid }[] {
  const found: { name: string; oid: Oid }[] = [];
  eachLooseName(repoDir, (name) => {
    const oid = readLooseRef(repoDir, name);
    if (oid) found.push({ name, oid });
  });
  return found.sort((a, b) => compareRefNames(a.name, b.name));
}

/** Symbolic refs below `refs/`, such as `refs/remotes/origin/HEAD`, sorted by name. */
export function readSymbolicRefs(repoDir: string): { name: string; target: string }[] {
  const found: { name: string; target: string }[] = [];
  eachLooseName(repoDir, (name) => {
    const said = readSymbolicOrOid(`${repoDir}/${name}`);
    if (said && "ref" in said) found.push({ name, target: said.ref });
  });
  return found.sort((a, b) => compareRefNames(a.name, b.name));
}

/** The names of all files below `refs/` that may be refs, whatever they contain; unordered. */
export function readLooseNames(repoDir: string): string[] {
  const found: string[] = [];
  eachLooseName(repoDir, (name) => found.push(name));
  return found;
}

function eachLooseName(repoDir: string, visit: (name: string) => void): void {
  const walk = (directory: string) => {
    for (const entry of entriesOf(`${repoDir}/${directory}`)) {
      const name = `${directory}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else if (entry.isFile() && isRefName(name)) visit(name);
    }
  };
  walk("refs");
}

/** Directory entries, with names decoded from their bytes (objects/names.ts). */
function entriesOf(directory: string): { name: string; isFile(): boolean; isDirectory(): boolean }[] {
  try {
    const path = systemPath(directory);
    const entries = typeof path === "string" ? readdirSync(path, { withFileTypes: true }) : undefined;
    if (entries?.every(({ name }) => !name.includes("\ufffd"))) return entries;
    // Bun returns either the bytes of names or the entry types, not both.
    return readdirSync(path, { encoding: "buffer" }).map((bytes) => {
      const name = decodeName(bytes);
      const stat = lstatSync(systemPath(`${directory}/${name}`), { throwIfNoEntry: false });
      return { name, isFile: () => stat?.isFile() === true, isDirectory: () => stat?.isDirectory() === true };
    });
  } catch (error) {
    if (missing(error)) return [];
    throw error;
  }
}

/** Removes a loose ref file and the directories that become empty, up to `refs/heads` and the like. */
export function removeLooseRef(repoDir: string, name: string): void {
  // A directory with that name contains other refs.
  if (isDirectory(`${repoDir}/${name}`)) return;
  removeFile(`${repoDir}/${name}`);
  removeDirectoriesAbove(repoDir, name);
}

/** Removes the empty directories above a ref's file, up to `refs/heads` and the like. */
export function removeDirectoriesAbove(repoDir: string, name: string): void {
  const parts = name.split("/");
  for (let depth = parts.length - 1; depth > 2; depth--) {
    try {
      rmdirSync(systemPath([repoDir, ...parts.slice(0, depth)].join("/")));
    } catch {
      return;
    }
  }
}

/** The parent directory. Hand-written because the runtime replaces bytes that are not UTF-8. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Creates the directory for a ref's file. */
export function makeDirectoryAbove(path: string): void {
  mkdirSync(systemPath(parentOf(path)), { recursive: true });
}

export function isDirectory(path: string): boolean {
  try {
    return lstatSync(systemPath(path)).isDirectory();
  } catch (error) {
    if (missing(error)) return false;
    throw error;
  }
}

/** git leaves empty directories behind where refs were; one may be in the way of a new ref. */
export function removeEmptyDirectories(path: string): void {
  try {
    for (const entry of entriesOf(path)) if (entry.isDirectory()) removeEmptyDirectories(`${path}/${entry.name}`);
    rmdirSync(systemPath(path));
  } catch {
    // Not a directory, or not empty: the write that follows reports the problem.
  }
}
