import { directoryAttributes } from "../../src/git/attributes/tree.ts";
import { comparedBy, DiffDrivers } from "../../src/git/diff/functions/drivers.ts";
import type { CompareOptions } from "../../src/git/diff/print/options.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";
import { attributeFiles, configOf } from "./settings.ts";

/**
 * What the attribute `diff` says of paths, as git finds it for a difference in a bare repository: in the files of the
 * repository and the user; trees are not asked.
 * @throws BadConfig a setting of a driver that makes no sense
 */
export function comparedByAttributes(
  repository: RepositoryFolder,
  terminal: Terminal,
): Pick<CompareOptions, "isBinaryPath" | "functionsOf"> {
  const attributes = directoryAttributes({ ...attributeFiles(repository, terminal), only: ["diff"] });
  const drivers = new DiffDrivers(configOf(repository, terminal));
  return comparedBy(drivers, (path) => attributes.of(path).get("diff"));
}
