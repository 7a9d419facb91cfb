import { join } from "node:path";

/** Where a bare repository is below the folder of all; that of a repository's code has the repository's number. 256 folders keep each listing short. */
export function repositoryDirectory(root: string, folderId: number): string {
  return join(root, (folderId % 256).toString(16).padStart(2, "0"), `${folderId}.git`);
}
