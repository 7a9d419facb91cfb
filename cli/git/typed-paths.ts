import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { PathFilter } from "../../src/git/diff/paths.ts";
import { readPathspec, type TypedAt, type WantedPath } from "../../src/git/diff/pathspec.ts";
import { GitError } from "../../src/git/errors.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { WalkOptions } from "../../src/git/history/walk/options.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import { outerColon, RevisionLanguage } from "../../src/git/revision-language.ts";
import { approximateDate } from "./approximate-dates.ts";
import { Fatal } from "./command.ts";

/** Paths as typed in a folder, from the top of the repository on. @throws BadPathspec */
export function readPaths(repository: RepositoryFolder, folder: string, words: readonly string[]): WantedPath[] {
  const at = typedAt(repository, resolve(folder));
  return words.map((word) => readPathspec(word, at));
}

function typedAt({ gitDir, workTree }: RepositoryFolder, folder: string): TypedAt {
  // Without a working tree nothing comes before a path.
  if (workTree === undefined) return { top: gitDir === folder ? `${gitDir}/.` : gitDir, prefix: "" };
  const below = relative(workTree, folder);
  return { top: workTree, prefix: below === "" ? "" : `${below}/` };
}

/** The paths of a walk: plain ones are looked up, anything else is compared tree by tree. */
export function walkPaths(paths: readonly WantedPath[]): Pick<WalkOptions, "paths" | "filter"> {
  const plain = paths.every((path) => path.signs === "plain" && !path.ignoreCase && !path.exclude && !path.onlyFolder);
  if (!plain) return { filter: new PathFilter(paths) };
  return { paths: paths.map(({ path }) => decodeName(Buffer.from(path, "latin1"))) };
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
    if (isFirst) throw unknownWord(repository, word);
    throw new Fatal(
      `${word}: no such path in the working tree.\n` +
        "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
    );
  }
}

/** What git says of a word that is neither a revision nor a path. */
export function unknownWord(repository: RepositoryFolder, word: string): Fatal {
  const inIndex = /^:(?:[0-3]:)?(?!\/)(.+)$/.exec(word)?.[1];
  if (inIndex !== undefined) return new Fatal(`path '${inIndex}' does not exist (neither on disk nor in the index)`);
  const colon = outerColon(word);
  if (colon > 0) {
    const name = word.slice(0, colon);
    if (!isKnown(repository, name)) return new Fatal(`invalid object name '${name}'.`);
    return new Fatal(`path '${word.slice(colon + 1)}' does not exist in '${name}'`);
  }
  return new Fatal(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n" +
      "'git <command> [<revision>...] -- [<file>...]'",
  );
}

function isKnown(repository: RepositoryFolder, name: string): boolean {
  try {
    new RevisionLanguage(repository, approximateDate).find(name, "tree");
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}
