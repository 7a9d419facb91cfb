import { type FolderOptions, RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal, type Terminal } from "./command.ts";
import { isYes, settingOf } from "./settings.ts";

/**
 * Opens the repository for a command that shows its content: objects are replaced through `refs/replace/`, unless
 * `GIT_NO_REPLACE_OBJECTS` or `core.useReplaceRefs` disables it (git-replace(1)).
 * @throws NoRepository
 */
export function openForReading(terminal: Terminal, options: FolderOptions = {}): RepositoryFolder {
  let warns = true;
  const asTold: FolderOptions = {
    ...options,
    warn: (line) => warns && terminal.err(line),
  };
  if (terminal.environment["GIT_NO_REPLACE_OBJECTS"] !== undefined)
    return RepositoryFolder.open(terminal.directory, asTold);
  const repository = RepositoryFolder.open(terminal.directory, { ...asTold, replaces: true });
  warns = isYes(settingOf(repository, terminal, "core.warnambiguousrefs") ?? "yes") ?? true;
  const setting = settingOf(repository, terminal, "core.usereplacerefs");
  if (!repository.store.replaces || setting === undefined || isYes(setting)) return repository;
  repository.close();
  return RepositoryFolder.open(terminal.directory, asTold);
}

/** The object a word names; it may be missing. @throws Fatal with the message most commands use */
export function objectNamed(repository: RepositoryFolder, word: string): Oid {
  const oid = repository.find(word);
  if (oid === undefined) throw new Fatal(`Not a valid object name ${word}`);
  return oid;
}
