import { cachedRepository } from "../../git/cached-repository.ts";
import { type CommittedRefs, readCommittedRefs } from "../../repos/refs/committed.ts";
import type { JobContext } from "../../workers/job.ts";
import { type PackedRefs, packDatedRefs } from "./dated-refs.ts";

export interface DatedRefsInput extends CommittedRefs {
  /** The bare repository. */
  readonly repoDir: string;
  readonly areTags: boolean;
}

/** All branches or tags with their times, newest first. */
export async function run(input: DatedRefsInput, context: JobContext): Promise<PackedRefs> {
  const { repoDir, prefix, areTags } = input;
  return packDatedRefs(cachedRepository(context, repoDir).commits(), readCommittedRefs(input), prefix, areTags);
}
