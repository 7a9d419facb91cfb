import { fsyncSync, lstatSync, readdirSync, readFileSync, renameSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { GitError } from "../errors.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { compareRefNames, isRefName } from "./names.ts";
import { type PackedRefs, parsePackedRefs } from "./packed-refs.ts";

/** Reading and durably replacing the files in which a repository folder keeps its refs. */

/** Somebody else (real git, or a process that died) holds the lock file. */
export class RefsLocked extends GitError {
  override name = "RefsLocked";
  constructor(readonly lockPath: string) {
    super(`${lockPath} exists: the refs are locked`);
  }
}

const missing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (missing(error) || (error instanceof Error && "code" in error && error.code === "EISDIR")) return undefined;
    throw error;
  }
}

/** Takes `<path>.lock` as git does: whoever creates it may replace the file. @throws RefsLocked */
export function takeLock(path: string): number {
  try {
    return openFile(`${path}.lock`, "wx", 0o644);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw new RefsLocked(`${path}.lock`);
    throw error;
  }
}

/** Gives a lock up without a change. `fd` is undefined when it was closed before. */
export function dropLock(path: string, fd: number | undefined): void {
  if (fd !== undefined) closeFile(fd);
  removeFile(`${path}.lock`);
}

/**
 * Writes the new content through the lock file, makes it durable and puts it in place; the lock is gone then, also
 * when that fails: on a full disk the old content stays and the next writer is not locked out.
 */
export function replaceThroughLock(path: string, fd: number, content: string): void {
  try {
    writeThrough(fd, content);
    putInPlace(path);
  } catch (error) {
    removeFile(`${path}.lock`);
    throw error;
  }
}

/** The first half: writes the new content into the lock file, durably, and closes it. */
export function writeThrough(fd: number, content: string): void {
  const bytes = Buffer.from(content);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** The second half: the lock file becomes the file, durably. */
export function putInPlace(path: string): void {
  renameSync(`${path}.lock`, path);
  syncFolder(dirname(path));
}

/** Makes renames and removals in a folder durable. */
export function syncFolder(folder: string): void {
  const fd = openFile(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!missing(error)) throw error;
  }
}

/** What `HEAD` says: the ref it names, or the id when it is detached; undefined when it is neither. */
export function readHead(repoDir: string): { readonly ref: string } | { readonly oid: Oid } | undefined {
  return readSymbolicOrOid(join(repoDir, "HEAD"));
}

/** The same for the file of any ref. */
export function readSymbolicOrOid(path: string): { readonly ref: string } | { readonly oid: Oid } | undefined {
  const text = readText(path)?.trim();
  if (text === undefined) return undefined;
  if (text.startsWith("ref:")) return { ref: text.slice(4).trim() };
  return isOid(text) ? { oid: text } : undefined;
}

export function readPackedRefs(repoDir: string): PackedRefs {
  return parsePackedRefs(readText(join(repoDir, "packed-refs")) ?? "");
}

/** The id in a loose ref file; undefined when there is none or it is symbolic. */
export function readLooseRef(repoDir: string, name: string): Oid | undefined {
  const text = readText(join(repoDir, name))?.trim();
  return text !== undefined && isOid(text) ? text : undefined;
}

/** Every loose ref below `refs/`, sorted by name; lock files and names that no ref may have are passed over. */
export function readLooseRefs(repoDir: string): { name: string; oid: Oid }[] {
  const found: { name: string; oid: Oid }[] = [];
  eachLooseName(repoDir, (name) => {
    const oid = readLooseRef(repoDir, name);
    if (oid) found.push({ name, oid });
  });
  return found.sort((a, b) => compareRefNames(a.name, b.name));
}

/** Refs below `refs/` that name another ref, as `refs/remotes/origin/HEAD` does, sorted by name. */
export function readSymbolicRefs(repoDir: string): { name: string; target: string }[] {
  const found: { name: string; target: string }[] = [];
  eachLooseName(repoDir, (name) => {
    const said = readSymbolicOrOid(join(repoDir, name));
    if (said && "ref" in said) found.push({ name, target: said.ref });
  });
  return found.sort((a, b) => compareRefNames(a.name, b.name));
}

function eachLooseName(repoDir: string, visit: (name: string) => void): void {
  const walk = (folder: string) => {
    for (const entry of entriesOf(join(repoDir, folder))) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else if (entry.isFile() && isRefName(name)) visit(name);
    }
  };
  walk("refs");
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (missing(error)) return [];
    throw error;
  }
}

/** Removes a loose ref file and the folders that become empty by it, up to `refs/heads` and its like. */
export function removeLooseRef(repoDir: string, name: string): void {
  // A folder of that name holds other refs.
  if (isFolder(join(repoDir, name))) return;
  removeFile(join(repoDir, name));
  removeFoldersAbove(repoDir, name);
}

/** Removes the folders above a ref's file that are empty, up to `refs/heads` and its like. */
export function removeFoldersAbove(repoDir: string, name: string): void {
  const parts = name.split("/");
  for (let depth = parts.length - 1; depth > 2; depth--) {
    try {
      rmdirSync(join(repoDir, ...parts.slice(0, depth)));
    } catch {
      return;
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (error) {
    if (missing(error)) return false;
    throw error;
  }
}

/** git leaves empty folders behind where refs were; one may stand where a ref is to be. */
export function removeEmptyFolders(path: string): void {
  try {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) removeEmptyFolders(join(path, entry.name));
    rmdirSync(path);
  } catch {
    // Not a folder, or not empty: the write that follows says what is wrong.
  }
}
