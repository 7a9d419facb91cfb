import type { JobContext } from "../../workers/job.ts";
import type { Oid } from "../objects/types.ts";
import { markReplaced } from "../odb/replaced.ts";
import { geometricRepack } from "./geometric-repack.ts";
import { type Repacked, repackIfUseful } from "./repack.ts";

export interface MaintenanceInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** "geometric": small packs and loose objects; "all": one pack of everything, and what is old and lost left out. */
  readonly extent: "geometric" | "all";
  /** Where the refs point. */
  readonly roots: readonly Oid[];
  /** Where they pointed not long ago. */
  readonly retainedRoots: readonly Oid[];
  /** Seconds since 1970; see `RepackOptions`. */
  readonly pruneBefore: number;
}

const TELL_AFTER_MS = 1_000;

/** Packs; marks the packs that are replaced by it. Undefined when there is nothing to gain. */
export async function run(
  input: MaintenanceInput,
  context: Pick<JobContext, "signal" | "crash" | "tell">,
): Promise<Repacked | undefined> {
  const { repoDir, roots } = input;
  let told = performance.now();
  const work = {
    roots,
    signal: context.signal,
    crashPoint: context.crash,
    onProgress: (phase: string, done: number, total: number | undefined) => {
      if (performance.now() - told < TELL_AFTER_MS) return;
      told = performance.now();
      context.tell(total === undefined ? `${phase}: ${done}` : `${phase}: ${done}/${total}`);
    },
  };
  const done =
    input.extent === "geometric"
      ? await geometricRepack(repoDir, work)
      : await repackIfUseful(repoDir, {
          ...work,
          retainedRoots: input.retainedRoots,
          pruneBefore: input.pruneBefore,
          withClosure: true,
        });
  if (done) {
    markReplaced(repoDir, done.replacedPacks);
    context.crash("maintenance: replaced packs marked");
  }
  return done;
}
