import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { Terminal } from "./command.ts";
import { upToNul } from "./input.ts";
import { settingOf } from "./settings.ts";

/**
 * The names people want to be known by (gitmailmap(5)): `.mailmap` of HEAD, or what `mailmap.blob` names, then what
 * `mailmap.file` names, which has the last word.
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
