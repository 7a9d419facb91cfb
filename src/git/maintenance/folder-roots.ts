import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RepositoryFolder } from "../folder.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { readHead } from "../refs/files.ts";

/** The objects of a repository that must not be lost, from everything in it that refers to objects. */
export interface FolderRoots {
  /** Refs and heads: everything reachable from them must exist. */
  readonly tips: readonly Oid[];
  /** Objects in reflogs, which may be missing. */
  readonly mentioned: readonly Oid[];
  /** Commits whose parents are missing. */
  readonly shallow: ReadonlySet<Oid>;
}

/** Reads the refs, HEAD and reflogs of a bare repository. */
export function rootsOf(repository: RepositoryFolder): FolderRoots {
  const { gitDir, store } = repository;
  const tips = new Set(repository.refs.list().map((ref) => ref.oid));
  const mentioned = new Set<Oid>();
  const head = readHead(gitDir);
  if (head && "oid" in head) tips.add(head.oid);
  for (const oid of loosePointers(join(gitDir, "refs"))) tips.add(oid);
  for (const oid of loggedOids(join(gitDir, "logs"))) mentioned.add(oid);
  return {
    tips: [...tips].filter((oid) => oid !== store.format.zeroOid),
    mentioned: [...mentioned].filter((oid) => !tips.has(oid) && store.has(oid)),
    shallow: new Set(linesOf(join(gitDir, "shallow")).filter(isOid)),
  };
}

/** Ids in ref files below a directory whose names no ref listing includes. */
function loosePointers(directory: string): Oid[] {
  return filesBelow(directory).flatMap((path) => linesOf(path).slice(0, 1).filter(isOid));
}

/** Both ids of every line (gitformat: `<old> <new> <who> <when>\t<why>`). */
function loggedOids(directory: string): Oid[] {
  return filesBelow(directory).flatMap((path) =>
    linesOf(path).flatMap((line) =>
      line
        .split(" ", 2)
        .filter(isOid)
        .filter((oid) => !/^0+$/.test(oid)),
    ),
  );
}

function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "latin1").split("\n") : [];
}
