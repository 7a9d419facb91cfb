import { constants, copyFileSync, existsSync, linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncPath } from "../durable.ts";
import { readClosure, writeClosure } from "../receive/closure.ts";
import type { CrashPoint } from "../receive/quarantine.ts";

/**
 * Durably adds a hard link to a stored pack (`pack-<id>`) and its index in another repository, with the record of what
 * it is complete for. Stored packs are never modified, and disappear from disk with their last link. If the file system
 * does not support links, or is a different one, the bytes are copied. The index comes last: a pack without one is
 * invisible to readers, and a start removes it.
 */
export function linkPack(fromDir: string, repoDir: string, name: string, crashPoint: CrashPoint): void {
  const packDir = join(repoDir, "objects", "pack");
  makeDirectory(packDir);
  if (existsSync(join(packDir, `${name}.idx`))) return;
  const packId = name.replace(/^pack-/, "");
  const closure = readClosure(fromDir, packId);
  const from = join(fromDir, "objects", "pack", name);
  const to = join(packDir, name);
  linkOrCopy(`${from}.pack`, `${to}.pack`);
  crashPoint("link: pack linked");
  if (closure) writeClosure(repoDir, packId, closure);
  linkOrCopy(`${from}.idx`, `${to}.idx`);
  crashPoint("link: index linked");
  syncPath(packDir);
}

/** Linking is not possible: different devices, no link support, too many links, not permitted. */
const NO_LINK = new Set(["EXDEV", "ENOTSUP", "EOPNOTSUPP", "EPERM", "EMLINK", "ENOSYS", "EINVAL"]);

function linkOrCopy(from: string, to: string): void {
  // Remains of an interrupted attempt, which nobody has seen.
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NO_LINK.has(String(error.code)))) throw error;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    syncPath(to);
  }
}
