import { ObjectStore } from "../../git/objects/store.ts";
import type { Oid } from "../../git/objects/types.ts";
import { type CommitChanges, changesOf } from "./changes.ts";

export interface ChangesInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commits: readonly Oid[];
}

/** What each of some commits changed, in their order. */
export async function run({ repoDir, commits }: ChangesInput): Promise<CommitChanges[]> {
  const store = ObjectStore.open(repoDir);
  try {
    return commits.map((commit) => changesOf(store, commit));
  } finally {
    store.close();
  }
}
