import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncPath, writeSynced } from "../durable.ts";
import { type ObjectFormat, SHA1 } from "../objects/format.ts";
import { hashObject } from "../objects/hash.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import { trimEndOf } from "../text-ends.ts";
import { objectFormatOf } from "./folder-format.ts";

export interface NewObject {
  readonly type: ObjectType;
  readonly data: Uint8Array;
}

/**
 * Stores objects as loose files, durably, and returns their ids in the same order. Objects that already exist,
 * loose or (according to `isStored`) elsewhere, are not rewritten. Costs one flush per object and one per directory.
 * Files appear in the order given, so an object never appears before the objects it points to if those came first.
 * @throws the file system's error; objects written before it remain, unreferenced
 */
export function writeObjects(
  repoDir: string,
  objects: readonly NewObject[],
  options: { readonly isStored?: (oid: Oid) => boolean; readonly crashPoint?: (name: string) => void } = {},
): Oid[] {
  const { deflateSync } = process.getBuiltinModule("node:zlib");
  const objectsDir = join(repoDir, "objects");
  const format = objectFormatOf(repoDir);
  const oids = objects.map(({ type, data }) => hashObject(format, type, data));
  const staged: { temporary: string; directory: string; path: string }[] = [];
  const directories = new Set<string>();
  const begun = new Set<Oid>();
  try {
    objects.forEach(({ type, data }, i) => {
      const oid = oids[i]!;
      const directory = join(objectsDir, oid.slice(0, 2));
      const path = join(directory, oid.slice(2));
      if (begun.has(oid)) return;
      if (existsSync(path)) {
        // Its writer may have died before the name was flushed.
        directories.add(directory);
        return;
      }
      if (options.isStored?.(oid)) return;
      begun.add(oid);
      // git's own cleanup removes files with this name.
      const temporary = join(objectsDir, `tmp_obj_${crypto.randomUUID()}`);
      staged.push({ temporary, directory, path });
      writeSynced(temporary, deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])), 0o444);
    });
    options.crashPoint?.("objects: contents flushed");
    let made = false;
    for (const { temporary, directory, path } of staged) {
      if (!existsSync(directory)) {
        mkdirSync(directory);
        made = true;
      }
      renameSync(temporary, path);
      directories.add(directory);
      options.crashPoint?.("objects: one renamed");
    }
    for (const directory of directories) syncPath(directory);
    if (made) syncPath(objectsDir);
    options.crashPoint?.("objects: folders flushed");
  } catch (error) {
    for (const { temporary } of staged) rmSync(temporary, { force: true });
    throw error;
  }
  return oids;
}

/** As `git init` writes it. Formats other than SHA-1 need version 1, which any git that lacks support refuses. */
function configFor(format: ObjectFormat): string {
  const version = format === SHA1 ? 0 : 1;
  const extensions = format === SHA1 ? "" : `[extensions]\n\tobjectformat = ${format.name}\n`;
  return `[core]\n\trepositoryformatversion = ${version}\n\tfilemode = true\n\tbare = true\n${extensions}`;
}

/**
 * Creates an empty standard bare repository in `repoDir`, durably and atomically: it is built in a sibling directory
 * and renamed into place. The parent directory must exist.
 * @throws the file system's error, `ENOTEMPTY` or `EEXIST` when something already exists there
 */
export function initRepository(
  repoDir: string,
  options: {
    readonly defaultBranch: string;
    /** SHA-1 by default, as with git. */
    readonly format?: ObjectFormat;
    readonly crashPoint?: (name: string) => void;
  },
): void {
  const above = join(repoDir, "..");
  const building = `${trimEndOf(repoDir, "/")}.${crypto.randomUUID()}.tmp`;
  try {
    for (const directory of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
      mkdirSync(join(building, directory), { recursive: true });
    writeSynced(join(building, "HEAD"), new TextEncoder().encode(`ref: refs/heads/${options.defaultBranch}\n`));
    writeSynced(join(building, "config"), new TextEncoder().encode(configFor(options.format ?? SHA1)));
    for (const directory of ["objects/info", "objects/pack", "objects", "refs/heads", "refs/tags", "refs", ""])
      syncPath(join(building, directory));
    options.crashPoint?.("init: contents flushed");
    renameSync(building, repoDir);
    options.crashPoint?.("init: renamed");
    syncPath(above);
    options.crashPoint?.("init: folder flushed");
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    throw error;
  }
}
