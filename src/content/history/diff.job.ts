import { ObjectStore } from "../../git/objects/store.ts";
import { type FileDiffs, type FileDiffWishes, fileDiffs } from "./file-diffs.ts";

/** Some of the files of a change in the bare repository `repoDir`. */
export async function run({ repoDir, ...wishes }: FileDiffWishes & { readonly repoDir: string }): Promise<FileDiffs> {
  const store = ObjectStore.open(repoDir);
  try {
    return fileDiffs(store, wishes);
  } finally {
    store.close();
  }
}
