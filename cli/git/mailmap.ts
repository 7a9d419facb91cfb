import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { Terminal } from "./command.ts";
import { upToNul } from "./input.ts";
import { settingOf } from "./settings.ts";

/**
 * Canonical names of people (gitmailmap(5)): from `.mailmap` at HEAD or the blob in `mailmap.blob`, then from the file
 * in `mailmap.file`, which takes precedence.
 */
export function readMailmap(repository: RepositoryFolder, terminal: Terminal): Mailmap {
  const blob = settingOf(repository, terminal, "mailmap.blob") ?? "HEAD:.mailmap";
  const file = settingOf(repository, terminal, "mailmap.file");
  const texts = [textOfBlob(repository, blob), file === undefined ? "" : textOfFile(pathOf(file, terminal))];
  return new Mailmap(texts.filter((text) => text !== "").join("\n"));
}

function pathOf(file: string, { directory, environment }: Terminal): string {
  if (file.startsWith("~/")) return join(environment["HOME"] ?? "/nonexistent", file.slice(2));
  return isAbsolute(file) ? file : join(directory, file);
}

function textOfFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? decodeName(readFileSync(path)) : "";
}

function textOfBlob(repository: RepositoryFolder, name: string): string {
  const oid = repository.find(name);
  const object = oid === undefined ? undefined : repository.store.read(oid);
  return object?.type === "blob" ? upToNul(decodeName(object.data)) : "";
}
