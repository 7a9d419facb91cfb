import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToTree } from "../../src/git/graph/peel.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { outerColon, RevisionLanguage } from "../../src/git/revision-language.ts";
import { AmbiguousRevision, UnknownRevision } from "../../src/git/revisions.ts";
import { entryAt } from "../../src/git/trees.ts";
import { Fatal, type Terminal } from "./command.ts";
import { pathFromTop } from "./paths.ts";

/** Says what is wrong with a word of the form `<revision>:<path>` that names nothing. @throws Fatal then */
export function explainPath(
  repository: RepositoryFolder,
  { folder }: Pick<Terminal, "folder">,
  word: string,
  { warns }: { readonly warns: boolean },
): void {
  const language = new RevisionLanguage(repository, warns);
  const [, stage, inIndex] = /^:(?:([0-3]):)?(?!\/|\.\.?\/)(.+)$/s.exec(word) ?? [];
  if (inIndex !== undefined) {
    if (stage !== undefined && named(language, `:0:${inIndex}`) !== undefined)
      throw new Fatal(
        `path '${inIndex}' is in the index, but not at stage ${stage}\nhint: Did you mean ':0:${inIndex}'?`,
      );
    const isOnDisk = repository.workTree !== undefined && existsSync(join(repository.workTree, inIndex));
    throw new Fatal(
      `path '${inIndex}' ${isOnDisk ? "exists on disk, but not in the index" : "does not exist (neither on disk nor in the index)"}`,
    );
  }
  const colon = outerColon(word);
  if (colon <= 0) return;
  const revision = word.slice(0, colon);
  const oid = named(language, revision);
  if (oid === undefined) throw new Fatal(`invalid object name '${revision}'.`);
  const typed = word.slice(colon + 1);
  const path = /^\.\.?\//.test(typed) ? pathFromTop(repository, folder, typed) : typed;
  if (repository.workTree !== undefined && existsSync(join(repository.workTree, path)))
    throw new Fatal(`path '${path}' exists on disk, but not in '${revision}'`);
  const tree = peelToTree(repository.store, oid);
  const below = repository.prefix + path;
  if (below !== path && tree !== undefined && entryAt(repository.store, tree, below))
    throw new Fatal(
      `path '${below}' exists, but not '${path}'\nhint: Did you mean '${revision}:${below}' aka '${revision}:./${path}'?`,
    );
  throw new Fatal(`path '${path}' does not exist in '${revision}'`);
}

function named(language: RevisionLanguage, word: string): Oid | undefined {
  try {
    return language.find(word);
  } catch (error) {
    if (error instanceof UnknownRevision || error instanceof AmbiguousRevision) return undefined;
    throw error;
  }
}

/**
 * A path that no `--` comes before must be there, so that it is not a misspelt revision. Patterns are not looked for.
 * @param isFirst it could be a revision: those before it are
 * @throws Fatal
 */
export function requirePath(repository: RepositoryFolder, folder: string, word: string, isFirst: boolean): void {
  if (word.startsWith("-")) throw new Fatal(`option '${word}' must come before non-option arguments`);
  if (/(?<!\\)[*?[]/.test(word) || word.startsWith(":(")) return;
  const [, magic, path = word] = /^:([/!^])(.*)$/s.exec(word) ?? [];
  const from = (magic === "/" && repository.workTree) || folder;
  if (word === ":/" || (path !== "" && existsSync(resolve(from, path)))) return;
  if (!isFirst)
    throw new Fatal(
      `${word}: no such path in the working tree.\n` +
        "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
    );
  explainPath(repository, { folder }, word, { warns: true });
  throw new Fatal(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n" +
      "'git <command> [<revision>...] -- [<file>...]'",
  );
}
