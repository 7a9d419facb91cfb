import { cachedRepository } from "../../git/cached-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { type FileDiffRequest, type FileDiffs, fileDiffs } from "./file-diffs.ts";

/** Some of the files of a change in the bare repository `repoDir`. */
export async function run(
  { repoDir, ...request }: FileDiffRequest & { readonly repoDir: string },
  context: JobContext,
): Promise<FileDiffs> {
  return fileDiffs(cachedRepository(context, repoDir).store, request);
}
