import { cachedRepository } from "../../git/cached-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { type CommitChanges, changesOf } from "./changes.ts";

export interface ChangesInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commits: readonly Oid[];
}

/** The changes of each of these commits, in order. */
export async function run({ repoDir, commits }: ChangesInput, context: JobContext): Promise<CommitChanges[]> {
  const { store } = cachedRepository(context, repoDir);
  return commits.map((commit) => changesOf(store, commit));
}
