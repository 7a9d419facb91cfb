import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import { RefLines } from "../ref-lines.ts";
import { answerFetch, type FetchInput } from "./answer.ts";

/** `refs` as the packets of a `RefSnapshot`. */
export type FetchJobInput = Omit<FetchInput, "refs"> & { readonly refs: Uint8Array };

/** Answers an upload-pack request: emits the response body, side band and all. */
export async function run(input: FetchJobInput, context: JobContext): Promise<void> {
  const repository = cachedRepository(context, input.repoDir);
  const open = { store: repository.store, commits: repository.commits() };
  await answerFetch({ ...input, refs: new RefLines(input.refs) }, open, (chunk) => context.emit(chunk));
}
