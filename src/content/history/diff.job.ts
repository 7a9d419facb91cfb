import { cachedRepository } from "../../git/cached-repository.ts";
import { openTogether } from "../../git/odb/together.ts";
import type { JobContext } from "../../workers/job.ts";
import { type FileDiffRequest, type FileDiffs, fileDiffs } from "./file-diffs.ts";

export interface DiffInput extends FileDiffRequest {
  /** The bare repository. */
  readonly repoDir: string;
  /** The repository of `from`, if it is another one. */
  readonly fromDir?: string | undefined;
}

/** Diffs of some of the files of a change. */
export async function run({ repoDir, fromDir, ...request }: DiffInput, context: JobContext): Promise<FileDiffs> {
  if (fromDir === undefined) return fileDiffs(cachedRepository(context, repoDir).store, request);
  const store = openTogether(repoDir, fromDir);
  try {
    return fileDiffs(store, request);
  } finally {
    store.close();
  }
}
