import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TreeAttributes } from "../../src/git/attributes/tree.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";
import { isYes, settingOf } from "./settings.ts";
import { typedAt } from "./typed-paths.ts";

/**
 * What attributes say of binary files, as git finds them for a difference: in `info/attributes`, and in the
 * `.gitattributes` of the working tree one stands in; a bare repository's trees are not asked.
 */
export function binaryPaths(
  repository: RepositoryFolder,
  terminal: Terminal,
): ((path: string) => boolean | undefined) | undefined {
  const infoPath = join(repository.commonDir, "info/attributes");
  const { top, hasWorkTree } = typedAt(repository, terminal.folder);
  if (!hasWorkTree && !existsSync(infoPath)) return undefined;
  const attributes = new TreeAttributes(repository.store, repository.store.format.emptyTree, {
    ...(existsSync(infoPath) ? { info: readFileSync(infoPath) } : {}),
    only: ["diff"],
    fileIn: (folder) => (hasWorkTree ? ownFile(join(top, folder, ".gitattributes")) : undefined),
  });
  const drivers = new Map<string, boolean | undefined>();
  return (path) => {
    const said = attributes.of(path);
    const driver = said.diffDriver;
    if (driver === undefined) return said.isBinary;
    if (!drivers.has(driver)) drivers.set(driver, isYes(settingOf(repository, terminal, `diff.${driver}.binary`)));
    return drivers.get(driver) || undefined;
  };
}

/** Links are not followed. */
function ownFile(path: string): Uint8Array | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
}
