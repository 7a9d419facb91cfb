import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import { CorruptObject } from "../../errors.ts";
import { type AnswerRest, Outlet } from "../../pack-objects/outlet.ts";
import { RefLines } from "../ref-lines.ts";
import { answerFetch, type FetchInput } from "./answer.ts";

/** `refs` are the packets of a `RefSnapshot`. */
export type FetchJobInput = Omit<FetchInput, "refs"> & {
  readonly refs: Uint8Array;
  /** A file, with its directory, that may be created for what a slow reader does not take. */
  readonly spoolPath: string;
};

/** Answers an upload-pack request: emits the response body, side band included, and returns what a slow reader left. */
export async function run(input: FetchJobInput, context: JobContext): Promise<AnswerRest> {
  const repository = cachedRepository(context, input.repoDir);
  const open = { store: repository.store, commits: repository.commits() };
  const outlet = new Outlet((chunk) => context.emit(chunk), input.spoolPath);
  try {
    await answerFetch({ ...input, refs: new RefLines(input.refs) }, open, outlet.emit, outlet);
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error;
    // The client has been sent an error; aborting the answer here would keep it from reading that.
    context.tell(error.message);
  }
  return outlet.finish();
}
