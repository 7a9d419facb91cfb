import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Oid } from "../objects/types.ts";
import { type FoundPointers, findPointers } from "./find-pointers.ts";

export interface FindPointersInput {
  readonly repoDir: string;
  readonly wants: readonly Oid[];
  readonly haves: readonly Oid[];
  readonly max: number;
}

export function run({ repoDir, ...search }: FindPointersInput, context: JobContext): FoundPointers {
  const repository = cachedRepository(context, repoDir);
  const { signal } = context;
  return findPointers({ store: repository.store, commits: repository.commits(), repoDir, signal, ...search });
}
