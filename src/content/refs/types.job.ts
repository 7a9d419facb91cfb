import { cachedRepository } from "../../git/cached-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { typesOfTips, unpackTips } from "./tips.ts";

export interface RefTypesInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** As `packTips` gives them. */
  readonly tips: string;
}

/** What many refs point to, in their order. */
export async function run({ repoDir, tips }: RefTypesInput, context: JobContext): Promise<Uint8Array> {
  return typesOfTips(cachedRepository(context, repoDir).store, unpackTips(tips));
}
