import { lstatSync, readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Mailmap } from "../../src/git/mailmap/mailmap.ts";
import { decodeName } from "../../src/git/objects/names.ts";
import type { Terminal } from "./command.ts";
import { upToNul } from "./input.ts";
import { settingOf } from "./settings.ts";

/**
 * The names people want to be known by (gitmailmap(5)): `.mailmap` of the working tree, or of HEAD in a bare repository,
 * then what `mailmap.blob` and `mailmap.file` name, of which the last has the last word.
 */
export function readMailmap(repository: RepositoryFolder, terminal: Terminal): Mailmap {
  const { workTree } = repository;
  const isBare = repository.config.boolean("core.bare") ?? repository.isBare;
  const blob = settingOf(repository, terminal, "mailmap.blob") ?? (isBare ? "HEAD:.mailmap" : undefined);
  const file = settingOf(repository, terminal, "mailmap.file");
  const texts = [
    workTree === undefined ? "" : textOfFile(join(workTree, ".mailmap"), false),
    blob === undefined ? "" : textOfBlob(repository, blob),
    file === undefined ? "" : textOfFile(pathOf(file, workTree ?? terminal.folder, terminal), true),
  ];
  return new Mailmap(texts.filter((text) => text !== "").join("\n"));
}

function pathOf(file: string, top: string, { environment }: Terminal): string {
  if (file.startsWith("~/")) return join(environment["HOME"] ?? "/nonexistent", file.slice(2));
  return isAbsolute(file) ? file : join(top, file);
}

/** In a working tree a link is not followed: what is checked out may lead anywhere. */
function textOfFile(path: string, follows: boolean): string {
  const found = (follows ? statSync : lstatSync)(path, { throwIfNoEntry: false });
  return found?.isFile() ? decodeName(readFileSync(path)) : "";
}

function textOfBlob(repository: RepositoryFolder, name: string): string {
  const oid = repository.find(name);
  const object = oid === undefined ? undefined : repository.store.read(oid);
  return object?.type === "blob" ? upToNul(decodeName(object.data)) : "";
}
