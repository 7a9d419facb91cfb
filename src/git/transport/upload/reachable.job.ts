import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import type { Oid } from "../../objects/types.ts";
import { closedPacks } from "../../pack-objects/closures.ts";
import { RefLines } from "../ref-lines.ts";
import { Reachable } from "./wants.ts";

export interface ReachableInput {
  readonly repoDir: string;
  /** As the packets of a `RefSnapshot`. */
  readonly refs: Uint8Array;
  readonly oids: readonly Oid[];
}

/** Those of the objects that the refs reach. */
export function run({ repoDir, refs, oids }: ReachableInput, context: JobContext): Oid[] {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const reachable = new Reachable(store, repository.commits(), closedPacks(repoDir, store), new RefLines(refs));
  return oids.filter((oid) => reachable.has(oid));
}
