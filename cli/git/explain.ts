import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { outerColon, RevisionLanguage } from "../../src/git/revision-language.ts";
import { AmbiguousRevision, UnknownRevision } from "../../src/git/revisions.ts";
import { Fatal } from "./command.ts";

/** Explains why a `<revision>:<path>` word names nothing. @throws Fatal then */
export function explainPath(repository: RepositoryFolder, word: string, { warns }: { readonly warns: boolean }): void {
  const colon = outerColon(word);
  if (colon <= 0) return;
  const revision = word.slice(0, colon);
  if (named(new RevisionLanguage(repository, warns), revision) === undefined)
    throw new Fatal(`invalid object name '${revision}'.`);
  throw new Fatal(`path '${word.slice(colon + 1)}' does not exist in '${revision}'`);
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
 * A word before `--` that is not a revision could only be a path in a working tree, and there is none. Patterns are
 * accepted, as in git.
 * @param isFirst it could be a revision, because all before it are
 * @throws Fatal
 */
export function requirePath(repository: RepositoryFolder, word: string, isFirst: boolean): void {
  if (word.startsWith("-")) throw new Fatal(`option '${word}' must come before non-option arguments`);
  if (/(?<!\\)[*?[]/.test(word) || word.startsWith(":(") || word === ":/") return;
  if (!isFirst)
    throw new Fatal(
      `${word}: no such path in the working tree.\n` +
        "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
    );
  explainPath(repository, word, { warns: true });
  throw new Fatal(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
      "Use '--' to separate paths from revisions, like this:\n" +
      "'git <command> [<revision>...] -- [<file>...]'",
  );
}
