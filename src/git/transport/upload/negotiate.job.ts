import type { JobContext } from "../../../workers/job.ts";
import { cachedRepository } from "../../cached-repository.ts";
import { RefLines } from "../ref-lines.ts";
import { answerNegotiation, type NegotiationAnswer } from "./answer.ts";
import type { FetchJobInput } from "./fetch.job.ts";

/** Answers one round of a negotiation over a connection. */
export function run(input: Omit<FetchJobInput, "spoolPath">, context: JobContext): Promise<NegotiationAnswer> {
  const repository = cachedRepository(context, input.repoDir);
  const open = { store: repository.store, commits: repository.commits() };
  return answerNegotiation({ ...input, refs: new RefLines(input.refs) }, open);
}
