import { join } from "node:path";

/**
 * Path of a git folder below the root of all repositories; the code folder has the repository's id. 256 subfolders keep
 * each listing short.
 */
export function repositoryDirectory(root: string, folderId: number): string {
  return join(root, (folderId % 256).toString(16).padStart(2, "0"), `${folderId}.git`);
}
