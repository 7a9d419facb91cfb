import { resolve } from "node:path";
import { PathFilter } from "../../src/git/diff/paths.ts";
import { readPathspec, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { WalkOptions } from "../../src/git/history/walk/options.ts";
import { decodeName, normalizedPath } from "../../src/git/objects/names.ts";
import { Fatal } from "./command.ts";

/**
 * A path typed in `folder`, from the top of the repository on; empty for the top. A slash at its end stays.
 * @throws Fatal when it leads out of the repository
 */
export function pathFromTop(
  repository: RepositoryFolder,
  folder: string,
  path: string,
  said = `'${path}'`,
  prefix = repository.prefix,
): string {
  const top = repository.workTree ?? repository.gitDir;
  const typed = path.startsWith("/") ? fromAbsolute(top, path) : prefix + path;
  const whole = typed === undefined ? ".." : normalizedPath(typed);
  if (whole === ".." || whole.startsWith("../")) {
    const isTop = repository.workTree === undefined && resolve(folder) === top;
    throw new Fatal(`${said} is outside repository at '${top}${isTop ? "/." : ""}'`);
  }
  return whole;
}

function fromAbsolute(top: string, path: string): string | undefined {
  const whole = `/${normalizedPath(path)}`;
  if (whole === top) return "";
  return whole.startsWith(`${top}/`) ? whole.slice(top.length + 1) : undefined;
}

/** A path from the top as it is shown to who stands in a folder with the prefix: `../a`, `./` for the folder itself. */
export function pathToShow(prefix: string, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  // By hand: the runtime would mend names that are no UTF-8.
  const [from, to] = [prefix.split("/").slice(0, -1), path.split("/")];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/") || "./";
}

/** Pathspecs typed in `folder`, from the top on. @throws Fatal, BadPathspec */
export function readPaths(repository: RepositoryFolder, folder: string, words: readonly string[]): WantedPath[] {
  return words.map((word) => {
    refuseEmpty(word);
    return readPathspec(word, (path, isFromTop) =>
      pathFromTop(repository, folder, path, `${word}: '${path}'`, isFromTop ? "" : repository.prefix),
    );
  });
}

/** @throws Fatal */
export function refuseEmpty(path: string): void {
  if (path === "")
    throw new Fatal("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
}

/** What is wanted; undefined for everything. */
export function filterOf(paths: readonly WantedPath[]): PathFilter | undefined {
  return paths.length === 0 ? undefined : new PathFilter(paths);
}

/** The paths of a walk: plain ones are looked up, anything else is compared tree by tree. */
export function walkPaths(paths: readonly WantedPath[]): Pick<WalkOptions, "paths" | "filter"> {
  const isPlain = paths.every((path) => path.signs === "plain" && !path.ignoreCase && !path.exclude);
  if (!isPlain) return { filter: new PathFilter(paths) };
  const nameOf = ({ path, onlyFolder }: WantedPath) =>
    decodeName(Buffer.from(path, "latin1")) + (onlyFolder ? "/" : "");
  return { paths: paths.map(nameOf) };
}
