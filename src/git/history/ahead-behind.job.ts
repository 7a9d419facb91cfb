import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { aheadBehindAll } from "./ahead-behind.ts";
import type { AheadBehind } from "./ancestry.ts";

export interface AheadBehindInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly base: Oid;
  readonly tips: readonly Oid[];
}

/** How far each of the tips has diverged from the base, in the order of the tips. */
export async function run({ repoDir, base, tips }: AheadBehindInput, context: JobContext): Promise<AheadBehind[]> {
  return aheadBehindAll(cachedRepository(context, repoDir).commits(), base, tips);
}
