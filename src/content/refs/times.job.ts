import { cachedRepository } from "../../git/cached-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { timesOfTips, unpackTips } from "./tips.ts";

export interface RefTimesInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** As `packTips` gives them. */
  readonly tips: string;
}

/** The times of many refs, in their order. */
export async function run({ repoDir, tips }: RefTimesInput, context: JobContext): Promise<Float64Array> {
  return timesOfTips(cachedRepository(context, repoDir).commits(), unpackTips(tips));
}
