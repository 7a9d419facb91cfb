import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { PathFilter } from "../../src/git/diff/paths.ts";
import { readPathspec, type TypedAt, type WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { WalkOptions } from "../../src/git/history/walk/options.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { Fatal } from "./command.ts";
import { refuseWord } from "./explain.ts";

/** Paths as typed in a folder, from the top of the repository on. @throws BadPathspec */
export function readPaths(repository: RepositoryFolder, folder: string, words: readonly string[]): WantedPath[] {
  const at = typedAt(repository, resolve(folder));
  return words.map((word) => readPathspec(word, at));
}

function typedAt({ gitDir, workTree, prefix }: RepositoryFolder, folder: string): TypedAt {
  return { top: workTree ?? (gitDir === folder ? `${gitDir}/.` : gitDir), prefix };
}

/** The paths of a walk: plain ones are looked up, anything else is compared tree by tree. */
export function walkPaths(paths: readonly WantedPath[]): Pick<WalkOptions, "paths" | "filter"> {
  const plain = paths.every((path) => path.signs === "plain" && !path.ignoreCase && !path.exclude && !path.onlyFolder);
  if (!plain) return { filter: new PathFilter(paths) };
  return { paths: paths.map(({ path }) => decodeName(Buffer.from(path, "latin1"))) };
}

/** Whether a word could be a path as well. */
export function isFile({ workTree }: RepositoryFolder, folder: string, word: string): boolean {
  return workTree !== undefined && existsSync(resolve(folder, word));
}

/**
 * A path that no `--` comes before must be there, so that it is not a misspelt revision. Patterns are not looked for.
 * @param isFirst it could be a revision: those before it are
 * @throws Fatal
 */
export function requirePath(repository: RepositoryFolder, folder: string, word: string, isFirst: boolean): void {
  if (/(?<!\\)[*?[]/.test(word) || word.startsWith(":(")) return;
  const [, magic, path = word] = /^:([/!^])(.*)$/s.exec(word) ?? [];
  const from = magic === "/" ? typedAt(repository, resolve(folder)).top : folder;
  if (word !== ":/" && (path === "" || !existsSync(resolve(from, path)))) {
    if (isFirst) refuseWord(repository, { folder }, word);
    throw new Fatal(
      `${word}: no such path in the working tree.\n` +
        "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
    );
  }
}
