import { posix, resolve } from "node:path";
import { PathFilter } from "../../src/git/diff/paths.ts";
import { readPathspec, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { WalkOptions } from "../../src/git/history/walk/options.ts";
import { decodeName, encodeName } from "../../src/git/objects/names.ts";
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
  // What ends in a dot is a folder.
  const whole = typed === undefined ? ".." : normalized(typed.replace(/(^|\/)(\.\.?)$/, "$1$2/"));
  if (whole === ".." || whole.startsWith("../")) {
    const isTop = repository.workTree === undefined && resolve(folder) === top;
    throw new Fatal(`${said} is outside repository at '${top}${isTop ? "/." : ""}'`);
  }
  return whole === "./" || whole === "." ? "" : whole;
}

/** The runtime's own loses what stands for bytes that are no UTF-8, so it is given one character a byte. */
function normalized(path: string): string {
  return fromLatin1(posix.normalize(latin1Of(path)));
}

function latin1Of(path: string): string {
  return Buffer.from(encodeName(path)).toString("latin1");
}

function fromLatin1(path: string): string {
  return decodeName(Buffer.from(path, "latin1"));
}

function fromAbsolute(top: string, path: string): string | undefined {
  const whole = normalized(path);
  if (whole === top) return "";
  return whole.startsWith(`${top}/`) ? whole.slice(top.length + 1) : undefined;
}

/** A path from the top as it is shown to who stands in a folder with the prefix: `../a`, `./` for the folder itself. */
export function pathToShow(prefix: string, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  return fromLatin1(posix.relative(latin1Of(prefix), latin1Of(path))) || "./";
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
  const isPlain = paths.every(
    (path) => path.signs === "plain" && !path.ignoreCase && !path.exclude && !path.onlyFolder,
  );
  if (!isPlain) return { filter: new PathFilter(paths) };
  return { paths: paths.map(({ path }) => decodeName(Buffer.from(path, "latin1"))) };
}
