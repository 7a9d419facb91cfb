import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { isAncestor } from "./ancestry.ts";

export interface IsAncestorInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly ancestor: Oid;
  readonly descendant: Oid;
}

export async function run({ repoDir, ancestor, descendant }: IsAncestorInput, context: JobContext): Promise<boolean> {
  return isAncestor(cachedRepository(context, repoDir).commits(), ancestor, descendant);
}
