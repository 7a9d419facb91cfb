import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { type LastCommits, type LastCommitsOptions, lastCommits } from "./last-commits.ts";

export interface LastCommitsInput extends LastCommitsOptions {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commit: Oid;
  /** Encoded as by `decodeName`; empty for the root directory. */
  readonly directory: string;
  /** The entries of interest; all if omitted. Each takes time to transfer out of the thread. */
  readonly only?: readonly string[];
}

/** The last commits of a directory's entries; see `lastCommits`. */
export async function run(
  { repoDir, commit, directory, only, ...options }: LastCommitsInput,
  context: JobContext,
): Promise<LastCommits> {
  const all = lastCommits(cachedRepository(context, repoDir).commits(), commit, directory, options);
  return only === undefined ? all : onlyOf(all, only);
}

function onlyOf(all: LastCommits, names: readonly string[]): LastCommits {
  const found = new Map<string, Oid>();
  for (const name of names) {
    const commit = all.found.get(name);
    if (commit !== undefined) found.set(name, commit);
  }
  return { ...all, names, found };
}
