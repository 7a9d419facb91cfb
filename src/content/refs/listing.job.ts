import { cachedRepository } from "../../git/cached-repository.ts";
import { type CommittedRefs, readCommittedRefs } from "../../repos/refs/committed.ts";
import type { JobContext } from "../../workers/job.ts";
import { referenceResource } from "../git/reference.ts";
import { isListed } from "./listed.ts";
import { typeOfTip } from "./tips.ts";

export interface RefListingInput extends CommittedRefs {
  /** The bare repository. */
  readonly repoDir: string;
  /** The repository's URL in the API. */
  readonly api: string;
}

/** Number of refs sent at a time. */
const SLICE = 500;

/** All refs in the API's format, as the text of one JSON array: a hundred thousand make 64 MB. */
export async function run(input: RefListingInput, context: JobContext): Promise<void> {
  const { store } = cachedRepository(context, input.repoDir);
  const refs = readCommittedRefs(input).filter(({ name }) => isListed(name));
  const encoder = new TextEncoder();
  for (let at = 0; at < refs.length; at += SLICE) {
    context.signal.throwIfAborted();
    const shown = refs
      .slice(at, at + SLICE)
      .map((ref) => JSON.stringify(referenceResource(input.api, { ...ref, type: typeOfTip(store, ref) })));
    await context.emit(encoder.encode((at === 0 ? "[" : ",") + shown.join(",")));
  }
  await context.emit(encoder.encode(refs.length === 0 ? "[]" : "]"));
}
