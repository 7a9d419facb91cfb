import { constants, copyFileSync, existsSync, linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, syncPath } from "../durable.ts";
import { readClosure, writeClosure } from "../receive/closure.ts";
import type { CrashPoint } from "../receive/quarantine.ts";

/**
 * Gives a stored pack (`pack-<id>`) and its index a further name in another repository, durably, with the record of
 * what it is complete for. Stored packs are never written to, and leave the disk with their last name. Where the file
 * system has no such names, or is another one, the bytes are copied. The index comes last: a pack without one is not
 * seen by any reader, and a start removes it.
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

/** The file system cannot do it: other devices, no links, too many of them, not allowed. */
const NO_LINK = new Set(["EXDEV", "ENOTSUP", "EOPNOTSUPP", "EPERM", "EMLINK", "ENOSYS", "EINVAL"]);

function linkOrCopy(from: string, to: string): void {
  // What a broken-off try left was seen by no one.
  rmSync(to, { force: true });
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && NO_LINK.has(String(error.code)))) throw error;
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    syncPath(to);
  }
}
