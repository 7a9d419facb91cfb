import type { JobContext } from "../../workers/job.ts";
import type { Oid } from "../objects/types.ts";
import type { ScrubReport } from "./finding.ts";
import { scrubRepository } from "./scrub.ts";

export interface ScrubInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly refs: readonly { readonly name: string; readonly oid: Oid }[];
  /** The share of one core it may use: above 0, at most 1. */
  readonly coreShare: number;
}

const TELL_AFTER_MS = 1_000;

/** Verifies everything that a repository stores; reports bytes done and total, as `done/total`. */
export async function run(input: ScrubInput, context: Pick<JobContext, "signal" | "tell">): Promise<ScrubReport> {
  let told = performance.now();
  return scrubRepository(input.repoDir, {
    refs: input.refs,
    coreShare: input.coreShare,
    signal: context.signal,
    onProgress: (done, total) => {
      if (performance.now() - told < TELL_AFTER_MS) return;
      told = performance.now();
      context.tell(`${done}/${total}`);
    },
  });
}
