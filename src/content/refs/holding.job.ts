import { cachedRepository } from "../../git/cached-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { placesHolding, unpackTips } from "./tips.ts";

export interface RefsHoldingInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commit: Oid;
  /** As `packTips` gives them. */
  readonly tips: string;
}

/** Which of many refs lead to a commit, by their places in the list. */
export async function run({ repoDir, commit, tips }: RefsHoldingInput, context: JobContext): Promise<Uint32Array> {
  return placesHolding(cachedRepository(context, repoDir).commits(), commit, unpackTips(tips));
}
