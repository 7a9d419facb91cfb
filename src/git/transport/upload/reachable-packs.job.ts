import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import { closedPacks } from "../../pack-objects/closures.ts";
import { RefLines } from "../ref-lines.ts";
import type { ReachableInput } from "./reachable.job.ts";
import { Reachable } from "./wants.ts";

/** Names of the packs whose every object is reachable from the refs. */
export function run({ repoDir, refs }: Omit<ReachableInput, "oids">, context: JobContext): string[] {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const reachable = new Reachable(store, repository.commits(), closedPacks(repoDir, store), new RefLines(refs));
  return reachable.wholePacks().map(({ pack }) => pack.name);
}
