import { resolve } from "node:path";
import { PathFilter } from "../../src/git/diff/paths.ts";
import { readPathspec, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { WalkOptions } from "../../src/git/history/walk/options.ts";
import { decodeName, normalizedPath } from "../../src/git/objects/names.ts";
import { Fatal } from "./command.ts";

/**
 * A normalized path in a tree: `a/b` for `./a//b`, empty for the top. A trailing slash is kept.
 * @throws Fatal when it is outside the tree
 */
export function pathFromTop({ gitDir }: RepositoryFolder, directory: string, path: string, said = `'${path}'`): string {
  const whole = normalizedPath(path);
  if (path.startsWith("/") || whole === ".." || whole.startsWith("../"))
    throw new Fatal(`${said} is outside repository at '${gitDir}${resolve(directory) === gitDir ? "/." : ""}'`);
  return whole;
}

/** Pathspecs typed in `directory`, relative to the top. @throws Fatal, BadPathspec */
export function readPaths(repository: RepositoryFolder, directory: string, words: readonly string[]): WantedPath[] {
  return words.map((word) => {
    refuseEmpty(word);
    return readPathspec(word, (path) => pathFromTop(repository, directory, path, `${word}: '${path}'`));
  });
}

/** @throws Fatal */
export function refuseEmpty(path: string): void {
  if (path === "")
    throw new Fatal("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
}

/** A filter for the requested paths; undefined for everything. */
export function filterOf(paths: readonly WantedPath[]): PathFilter | undefined {
  return paths.length === 0 ? undefined : new PathFilter(paths);
}

/** The paths of a walk: plain ones are looked up, anything else is matched tree by tree. */
export function walkPaths(paths: readonly WantedPath[]): Pick<WalkOptions, "paths" | "filter"> {
  const isPlain = paths.every((path) => path.signs === "plain" && !path.ignoreCase && !path.exclude);
  if (!isPlain) return { filter: new PathFilter(paths) };
  const nameOf = ({ path, onlyDirectory }: WantedPath) =>
    decodeName(Buffer.from(path, "latin1")) + (onlyDirectory ? "/" : "");
  return { paths: paths.map(nameOf) };
}
