import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { GitObject, Oid } from "../objects/types.ts";

export interface ObjectInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly oid: Oid;
  /** Larger objects are not returned. */
  readonly maxBytes: number;
}

/** Reads a whole object for a thread that must not block on it; undefined when it is missing or too large. */
export async function run(input: ObjectInput, context: JobContext): Promise<GitObject | undefined> {
  const { store } = cachedRepository(context, input.repoDir);
  const header = store.header(input.oid);
  return header && header.sizeBytes <= input.maxBytes ? store.read(input.oid) : undefined;
}
