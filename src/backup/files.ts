import { type Dirent, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of the data directory to back up. */
export interface BackedUpFile {
  readonly path: string;
  /** Never changed once it has its name: it can safely be hard-linked. */
  readonly isImmutable: boolean;
}

/** Rebuilt on demand (indexes, caches), specific to the running process, or written by the backup itself. */
const LEFT_OUT = /^(hearth\.db|search\.db|lock\.db|cache(\.|$)|secret\.key$|manifest$)|\.tmp$/;
/** Refs are in the database; a restored directory gets those of its instant. */
const PROJECTED = /^(HEAD|packed-refs|refs)$|\.lock$|\.tmp$/;
const LOOSE = /^objects\/[0-9a-f]{2}\/([0-9a-f]{38}|[0-9a-f]{62})$/;
const PACKED = /^objects\/pack\/pack-[0-9a-f]+\.(pack|idx|rev)$/;
const BESIDE_PACKS = /^objects\/(pack\/pack-[0-9a-f]+\.[a-z]+|info\/.+)$/;
const LAYER = /^objects\/info\/commit-graphs\/graph-[0-9a-f]+\.graph$/;

/** Top-level names in the data directory that are copied as they are: settings, label sets and the like. */
export function otherNames(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => !LEFT_OUT.test(name) && name !== "blobs" && name !== "repositories");
}

/** All files below a path in the data directory, none of them immutable. */
export function filesBelow(dataDir: string, path: string): BackedUpFile[] {
  return [...walk(join(dataDir, path), path)].map((found) => ({ path: found, isImmutable: false }));
}

/**
 * The files of a bare repository except refs, quarantine and locks. @param path its directory below the data
 * directory
 */
export function repositoryFiles(dataDir: string, path: string): BackedUpFile[] {
  const files: BackedUpFile[] = [];
  for (const file of walk(join(dataDir, path), "", (name) => PROJECTED.test(name))) {
    const isImmutable = LOOSE.test(file) || PACKED.test(file) || LAYER.test(file);
    if (isImmutable || BESIDE_PACKS.test(file) || !file.startsWith("objects/"))
      if (!file.endsWith(".lock") && !file.endsWith(".tmp")) files.push({ path: `${path}/${file}`, isImmutable });
  }
  return files;
}

/** Directories of a repository that are symbolic links, which are not followed. @param path as in `repositoryFiles` */
export function linkedFolders(dataDir: string, path: string): string[] {
  return ["objects", "objects/pack"]
    .map((name) => `${path}/${name}`)
    .filter((folder) => lstatSync(join(dataDir, folder), { throwIfNoEntry: false })?.isSymbolicLink());
}

/** Files below a directory by path; a directory that has just been deleted has none. */
function* walk(
  directory: string,
  prefix: string,
  isSkipped: (name: string) => boolean = () => false,
): Generator<string> {
  let found: Dirent[];
  try {
    found = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOTDIR" && statSync(directory, { throwIfNoEntry: false })?.isFile()) yield prefix;
    else if (code === "ENOTDIR") return;
    else if (code !== "ENOENT") throw error;
    return;
  }
  for (const entry of found) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (isSkipped(path)) continue;
    if (entry.isDirectory()) yield* walk(join(directory, entry.name), path);
    else if (entry.isFile()) yield path;
  }
}

/** Creates the directories, possibly empty, that git requires in a repository. */
export function makeRepositoryFolders(repoDir: string): void {
  for (const name of ["objects/pack", "objects/info", "refs/heads", "refs/tags"])
    mkdirSync(join(repoDir, name), { recursive: true, mode: 0o755 });
}
