import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { type RangeDiffPair, rangeDiff, shortened } from "./range-diff.ts";
import { versionOf } from "./version.ts";

export interface RangeDiffInput {
  readonly repoDir: string;
  /** The common base of both versions. */
  readonly base: Oid;
  readonly from: Oid;
  readonly to: Oid;
}

/** @returns null if there are too many commits */
export function run({ base, from, repoDir, to }: RangeDiffInput, context: JobContext): readonly RangeDiffPair[] | null {
  const repository = cachedRepository(context, repoDir);
  const commits = repository.commits();
  const [old, now] = [from, to].map((tip) => versionOf(repository.store, commits, base, tip));
  return old && now ? rangeDiff(old, now).map(shortened) : null;
}
