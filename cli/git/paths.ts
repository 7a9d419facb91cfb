import { posix, resolve } from "node:path";
import { toLatin1 } from "../../src/git/diff/content.ts";
import { isPlainPath, PathFilter, parsePathspec } from "../../src/git/diff/paths.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { encodeName } from "../../src/git/objects/names.ts";
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
  const whole = typed === undefined ? ".." : posix.normalize(typed.replace(/(^|\/)(\.\.?)$/, "$1$2/"));
  if (whole === ".." || whole.startsWith("../")) {
    const isTop = repository.workTree === undefined && resolve(folder) === top;
    throw new Fatal(`${said} is outside repository at '${top}${isTop ? "/." : ""}'`);
  }
  return whole === "./" ? "" : whole;
}

function fromAbsolute(top: string, path: string): string | undefined {
  const whole = posix.normalize(path);
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

/** Pathspecs typed in `folder`, from the top on, magic included. @throws Fatal, BadPathspec */
export function pathspecsFromTop(repository: RepositoryFolder, folder: string, typed: readonly string[]): string[] {
  return typed.map((text) => {
    refuseEmpty(text);
    const { magic, path } = parsePathspec(text);
    const prefix = magic.has("top") ? "" : repository.prefix;
    const whole = pathFromTop(repository, folder, path, `${text}: '${path}'`, prefix);
    return magic.size === 0 ? whole : `:(${[...magic].join(",")})${whole}`;
  });
}

/** @throws Fatal */
export function refuseEmpty(path: string): void {
  if (path === "")
    throw new Fatal("empty string is not a valid pathspec. please use . instead if you meant to match all paths");
}

/** What pathspecs from the top want; undefined for everything. */
export function filterOf(pathspecs: readonly string[]): PathFilter | undefined {
  if (pathspecs.length === 0 || pathspecs.includes("")) return undefined;
  return new PathFilter(pathspecs.map((path) => toLatin1(encodeName(path))));
}

/** The same for a walk over history, which is quicker with plain paths. */
export function walkPaths(pathspecs: readonly string[]): { paths: readonly string[]; filter?: PathFilter } {
  if (pathspecs.every(isPlainPath)) return { paths: pathspecs };
  const filter = filterOf(pathspecs);
  return { paths: filter ? [] : [""], ...(filter ? { filter } : {}) };
}
