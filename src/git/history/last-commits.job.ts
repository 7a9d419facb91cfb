import { Commits } from "../graph/commits.ts";
import { ObjectStore } from "../objects/store.ts";
import type { Oid } from "../objects/types.ts";
import { type LastCommits, type LastCommitsOptions, lastCommits } from "./last-commits.ts";

export interface LastCommitsInput extends LastCommitsOptions {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commit: Oid;
  /** A path as `decodeName` gives it; empty for the root folder. */
  readonly folder: string;
}

/** Last commits of a folder's entries; see `lastCommits`. */
export async function run({ repoDir, commit, folder, ...options }: LastCommitsInput): Promise<LastCommits> {
  const store = ObjectStore.open(repoDir, { cacheBytes: 32 * 1024 * 1024 });
  try {
    return lastCommits(Commits.open(repoDir, store), commit, folder, options);
  } finally {
    store.close();
  }
}
