import { fsyncSync, mkdirSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { closeFile, openFile } from "../workers/descriptors.ts";

/**
 * Writing that survives power loss: a file's bytes are flushed before its name appears, and its directory is flushed
 * afterwards. A failed fsync fails the whole operation and is never retried: the system may have dropped the bytes.
 */

/** Flushes a file's bytes, or a directory's entries. */
export function syncPath(path: string): void {
  const fd = openFile(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** Writes a new file and flushes its bytes; its name is not durable until the directory is flushed. */
export function writeSynced(path: string, bytes: Uint8Array, mode = 0o644): void {
  const fd = openFile(path, "wx", mode);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
    fsyncSync(fd);
  } finally {
    closeFile(fd);
  }
}

/** Atomically puts a file in place, replacing any previous one; durable when it returns. */
export function replaceFile(path: string, bytes: Uint8Array, mode = 0o644): void {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  writeSynced(temporary, bytes, mode);
  renameSync(temporary, path);
  syncPath(dirname(path));
}

/** Creates a directory and its parents, durably. Existing ones are fine. */
export function makeDirectory(path: string, mode = 0o755): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    syncPath(dirname(at));
    if (at === first || at === dirname(at)) return;
  }
}
