import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { makeDirectory, syncPath } from "../durable.ts";

/**
 * A pack replaced by newer ones stays for a while, for readers that already found it. An empty file
 * `objects/info/hearth/pack-<id>.replaced` marks it: such a pack is not used for clones, is not counted, and is ignored
 * by maintenance. The mark's mtime is when it was replaced.
 */
const SUFFIX = ".replaced";

function markPath(repoDir: string, name: string): string {
  return join(repoDir, "objects", "info", "hearth", name + SUFFIX);
}

/** Marks packs (`pack-<id>`) durably; packs already marked keep their time. */
export function markReplaced(repoDir: string, names: readonly string[]): void {
  const directory = join(repoDir, "objects", "info", "hearth");
  makeDirectory(directory);
  for (const name of names) if (!existsSync(markPath(repoDir, name))) closeFile(openFile(markPath(repoDir, name), "w"));
  syncPath(directory);
}

/** Removes a mark: the pack is needed again, or gone. */
export function removeMark(repoDir: string, name: string): void {
  rmSync(markPath(repoDir, name), { force: true });
}

/** The marked packs by name, with the time of the mark in milliseconds since 1970. */
export function replacedPacks(repoDir: string): Map<string, number> {
  const directory = join(repoDir, "objects", "info", "hearth");
  const found = new Map<string, number>();
  if (!existsSync(directory)) return found;
  for (const file of readdirSync(directory)) {
    if (!file.endsWith(SUFFIX)) continue;
    const name = file.slice(0, -SUFFIX.length);
    const stat = statSync(join(directory, file), { throwIfNoEntry: false });
    if (stat) found.set(name, Math.floor(stat.mtimeMs));
  }
  return found;
}
