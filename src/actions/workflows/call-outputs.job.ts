import { calledOutputs } from "./calls.ts";
import type { Contexts, NeedResult } from "./types.ts";

export interface CallOutputsInput {
  readonly source: string;
  readonly contexts: Contexts;
  readonly jobs: Readonly<Record<string, NeedResult>>;
}

/** The outputs of a called workflow. @throws BadWorkflow */
export function run({ contexts, jobs, source }: CallOutputsInput): Record<string, string> {
  return calledOutputs(source, contexts, jobs);
}
