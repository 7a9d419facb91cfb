import { keptRepository } from "../../git/kept-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { type FileDiffRequest, type FileDiffs, fileDiffs } from "./file-diffs.ts";

/** Some of the files of a change in the bare repository `repoDir`. */
export async function run(
  { repoDir, ...wishes }: FileDiffRequest & { readonly repoDir: string },
  context: JobContext,
): Promise<FileDiffs> {
  return fileDiffs(keptRepository(context, repoDir).store, wishes);
}
