import type { JobContext } from "../../../workers/job.ts";
import { answerFetch, type FetchInput } from "./answer.ts";

/** Answers an upload-pack request: emits the response body, side band and all. */
export async function run(input: FetchInput, context: JobContext): Promise<void> {
  await answerFetch(input, (chunk) => context.emit(chunk));
}
