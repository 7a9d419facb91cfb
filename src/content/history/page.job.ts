import { Commits } from "../../git/graph/commits.ts";
import { ObjectStore } from "../../git/objects/store.ts";
import { type HistoryPage, type HistoryWishes, historyPage } from "./page.ts";

/** A page of history of the bare repository in `repoDir`. */
export async function run({ repoDir, ...wishes }: HistoryWishes & { readonly repoDir: string }): Promise<HistoryPage> {
  const store = ObjectStore.open(repoDir);
  try {
    return historyPage(Commits.open(repoDir, store), wishes);
  } finally {
    store.close();
  }
}
