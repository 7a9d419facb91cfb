import { workTreeAttributes } from "../../src/git/attributes/tree.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";
import { attributeFiles, settingOf, yesOrNo } from "./settings.ts";

/**
 * What attributes say of binary files, as git finds them for a difference: those of the repository and the user, and in
 * a working tree its `.gitattributes`; a bare repository's trees are not asked.
 */
export function binaryPaths(
  repository: RepositoryFolder,
  terminal: Terminal,
): ((path: string) => boolean | undefined) | undefined {
  const { workTree } = repository;
  const files = attributeFiles(repository, terminal);
  if (workTree === undefined && !files.info && !files.user) return undefined;
  const attributes = workTreeAttributes(workTree, { ...files, only: ["diff"] });
  const drivers = new Map<string, boolean | undefined>();
  return (path) => {
    const said = attributes.of(path);
    const driver = said.diffDriver;
    if (driver === undefined) return said.isBinary;
    if (!drivers.has(driver)) drivers.set(driver, isBinaryDriver(repository, terminal, driver));
    return drivers.get(driver);
  };
}

/** Undefined where the content decides. */
function isBinaryDriver(repository: RepositoryFolder, terminal: Terminal, driver: string): boolean | undefined {
  const key = `diff.${driver}.binary`;
  return settingOf(repository, terminal, key) === "auto" ? undefined : yesOrNo(repository, terminal, key);
}
