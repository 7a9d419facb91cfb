import { rmSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../durable.ts";
import type { Oid } from "../objects/types.ts";
import { removeMark } from "../odb/replaced.ts";
import { removeClosure } from "../receive/closure.ts";

/** Extensions of a pack and the files that may accompany it. */
const BESIDE = [".pack", ".rev", ".bitmap", ".mtimes"];

/**
 * Removes packs, durably. Each one's index goes first, so that no reader finds a half-removed pack, and its replaced
 * mark last, so that files left by a crash are recognized.
 */
export function removePacks(repoDir: string, names: readonly string[]): void {
  const packDir = join(repoDir, "objects", "pack");
  for (const name of names) {
    for (const suffix of [".idx", ...BESIDE]) rmSync(join(packDir, name + suffix), { force: true });
    removeClosure(repoDir, name.replace(/^pack-/, ""));
  }
  syncPath(packDir);
  for (const name of names) removeMark(repoDir, name);
}

/** Removes loose objects. */
export function removeLoose(repoDir: string, oids: readonly Oid[]): void {
  for (const oid of oids) rmSync(join(repoDir, "objects", oid.slice(0, 2), oid.slice(2)), { force: true });
}
