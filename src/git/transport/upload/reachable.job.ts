import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import type { Oid } from "../../objects/types.ts";
import { closedPacks } from "../../pack-objects/closures.ts";
import { RefLines } from "../ref-lines.ts";
import { Reachable } from "./wants.ts";

export interface ReachableInput {
  readonly repoDir: string;
  /** The packets of a `RefSnapshot`. */
  readonly refs: Uint8Array;
  readonly oids: readonly Oid[];
}

/** Returns those of the objects that are reachable from the refs. */
export function run({ repoDir, refs, oids }: ReachableInput, context: JobContext): Oid[] {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const reachable = new Reachable(store, repository.commits(), closedPacks(repoDir, store), new RefLines(refs));
  return oids.filter((oid) => reachable.has(oid));
}
