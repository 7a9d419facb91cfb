import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import { isOid } from "../objects/types.ts";
import { closedPacks } from "../pack-objects/closures.ts";
import { PackOutput } from "../pack-objects/output.ts";
import { planPack } from "../pack-objects/plan.ts";
import { isOneStoredPack, writePack } from "../pack-objects/writer.ts";

export interface PackInput {
  readonly repoDir: string;
  /** What to send to the remote, one id per line. */
  readonly wants: string;
  /** What the remote has, one id per line; ids that are not stored here are ignored. */
  readonly haves: string;
  /** Whether the remote accepts delta bases by their offset in the pack. */
  readonly ofsDelta: boolean;
}

/** Streams the pack of objects that a remote lacks; thin if the remote has something. */
export async function run({ repoDir, wants, haves, ofsDelta }: PackInput, context: JobContext): Promise<void> {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const plan = planPack(
    {
      store,
      commits: repository.commits(),
      closed: closedPacks(repoDir, store),
      onProgress: () => context.signal.throwIfAborted(),
    },
    {
      wants: wants.split("\n").filter(isOid),
      haves: haves.split("\n").filter((oid) => isOid(oid) && store.has(oid)),
      filter: undefined,
      cuts: undefined,
      followTags: [],
      mayCopyPacks: ofsDelta,
    },
  );
  const output = new PackOutput((chunk) => context.emit(chunk), undefined, store.format, {
    hashed: !isOneStoredPack(plan.contents),
  });
  await writePack(plan.catalog, plan.contents, { ofsDelta, thin: true }, output);
  await output.finish();
}
