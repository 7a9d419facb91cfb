import type { JobContext } from "../../workers/job.ts";
import type { Oid } from "../objects/types.ts";
import { markReplaced } from "../odb/replaced.ts";
import { geometricRepack } from "./geometric-repack.ts";
import { type Repacked, repackStale } from "./repack.ts";

export interface MaintenanceInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** "geometric": small packs and loose objects; "all": also packs with unreachable objects, dropping them once old. */
  readonly extent: "geometric" | "all";
  /** Targets of the refs every clone requests, and, in groups, of those that fewer clones request. */
  readonly roots: readonly Oid[];
  readonly laterRoots: readonly (readonly Oid[])[];
  /** Recent former targets of the refs. */
  readonly retainedRoots: readonly Oid[];
  /** Seconds since 1970; see `RepackOptions`. */
  readonly pruneBefore: number;
}

const TELL_AFTER_MS = 1_000;

/** Repacks, and marks the packs it replaces. Returns undefined when there is nothing to gain. */
export async function run(
  input: MaintenanceInput,
  context: Pick<JobContext, "signal" | "crash" | "tell">,
): Promise<Repacked | undefined> {
  const { repoDir, roots, laterRoots } = input;
  let told = performance.now();
  const work = {
    roots,
    laterRoots,
    signal: context.signal,
    crashPoint: context.crash,
    onProgress: (phase: string, done: number, total: number | undefined) => {
      if (performance.now() - told < TELL_AFTER_MS) return;
      told = performance.now();
      context.tell(total === undefined ? `${phase}: ${done}` : `${phase}: ${done}/${total}`);
    },
  };
  const parts: Repacked[] = [];
  const note = (done: Repacked | undefined) => {
    if (!done) return;
    markReplaced(repoDir, done.replacedPacks);
    context.crash("maintenance: replaced packs marked");
    parts.push(done);
  };
  const { retainedRoots, pruneBefore } = input;
  if (input.extent === "all")
    note(await repackStale(repoDir, { ...work, retainedRoots, pruneBefore, withClosure: true }));
  note(await geometricRepack(repoDir, work));
  return parts.length === 0 ? undefined : parts.reduce(together);
}

/** Combines the results of two steps. */
function together(first: Repacked, second: Repacked): Repacked {
  return {
    pack: second.pack ?? first.pack,
    later: [...first.later, ...second.later],
    cruft: second.cruft ?? first.cruft,
    objects: first.objects + second.objects,
    bytes: first.bytes + second.bytes,
    cruftObjects: first.cruftObjects + second.cruftObjects,
    dropped: first.dropped + second.dropped,
    newDeltas: first.newDeltas + second.newDeltas,
    replacedPacks: [...first.replacedPacks, ...second.replacedPacks],
    replacedLoose: [...first.replacedLoose, ...second.replacedLoose],
  };
}
