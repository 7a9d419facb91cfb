import { cachedRepository } from "../../git/cached-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import { type CommittedRefs, readCommittedRefs } from "../../repos/refs/committed.ts";
import type { JobContext } from "../../workers/job.ts";
import { namesHolding } from "./tips.ts";

export interface RefsHoldingInput extends CommittedRefs {
  /** The bare repository. */
  readonly repoDir: string;
  readonly commit: Oid;
}

/** The full names of the refs that contain a commit, in order, one per line: separate strings would take longer. */
export async function run(input: RefsHoldingInput, context: JobContext): Promise<string> {
  const commits = cachedRepository(context, input.repoDir).commits();
  return namesHolding(commits, input.commit, readCommittedRefs(input)).join("\n");
}
