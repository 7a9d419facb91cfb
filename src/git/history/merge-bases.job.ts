import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { mergeBases } from "./ancestry.ts";

export interface MergeBasesInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly left: Oid;
  readonly right: Oid;
}

/** Best common ancestors, newest first. */
export async function run({ repoDir, left, right }: MergeBasesInput, context: JobContext): Promise<Oid[]> {
  return mergeBases(cachedRepository(context, repoDir).commits(), left, right);
}
