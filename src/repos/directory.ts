import { join } from "node:path";

/** Where a repository's bare folder is below the folder of all. 256 folders keep each listing short. */
export function repoDirectory(root: string, repoId: number): string {
  return join(root, (repoId % 256).toString(16).padStart(2, "0"), `${repoId}.git`);
}
