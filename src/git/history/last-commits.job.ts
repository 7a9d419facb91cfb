import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { type LastCommits, type LastCommitsOptions, lastCommits } from "./last-commits.ts";

export interface LastCommitsInput extends LastCommitsOptions {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commit: Oid;
  /** A path as `decodeName` gives it; empty for the root directory. */
  readonly directory: string;
}

/** Last commits of a directory's entries; see `lastCommits`. */
export async function run(
  { repoDir, commit, directory, ...options }: LastCommitsInput,
  context: JobContext,
): Promise<LastCommits> {
  return lastCommits(cachedRepository(context, repoDir).commits(), commit, directory, options);
}
