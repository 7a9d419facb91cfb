import { cachedRepository } from "../../git/cached-repository.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { type Listing, type ListOptions, listDirectory } from "./listing.ts";

export interface ListingInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly tree: Oid;
  /** Prefix for the names. */
  readonly before: string;
  readonly options: ListOptions;
}

/** Lists the entries of a large directory. */
export async function run(input: ListingInput, context: JobContext): Promise<Listing | undefined> {
  return listDirectory(cachedRepository(context, input.repoDir).store, input.tree, input.before, input.options);
}
