import { directoryAttributes } from "../../src/git/attributes/tree.ts";
import { comparedBy, DiffDrivers } from "../../src/git/diff/functions/drivers.ts";
import type { CompareOptions } from "../../src/git/diff/print/options.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Terminal } from "./command.ts";
import { attributeFiles, configOf } from "./settings.ts";

/**
 * The `diff` attribute of paths, as git finds it for a diff in a bare repository: from the attribute files of the
 * repository and the user; trees are not read.
 * @throws BadConfig for an invalid setting of a diff driver
 */
export function comparedByAttributes(
  repository: RepositoryFolder,
  terminal: Terminal,
): Pick<CompareOptions, "isBinaryPath" | "functionsOf"> {
  const attributes = directoryAttributes({ ...attributeFiles(repository, terminal), only: ["diff"] });
  const drivers = new DiffDrivers(configOf(repository, terminal));
  return comparedBy(drivers, (path) => attributes.of(path).get("diff"));
}
