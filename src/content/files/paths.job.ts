import { cachedRepository } from "../../git/cached-repository.ts";
import type { JobContext } from "../../workers/job.ts";
import { type PathsRequest, pathsJson } from "./paths.ts";

export interface PathsInput extends PathsRequest {
  /** The bare repository. */
  readonly repoDir: string;
}

/** The paths of the files of a large tree. */
export async function run(input: PathsInput, context: JobContext): Promise<string> {
  return pathsJson(cachedRepository(context, input.repoDir).store, input);
}
