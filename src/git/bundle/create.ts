import type { Commits } from "../graph/commits.ts";
import type { ObjectStore } from "../odb/store.ts";
import { PackOutput } from "../pack-objects/output.ts";
import { planPack } from "../pack-objects/plan.ts";
import { isOneStoredPack, writePack } from "../pack-objects/writer.ts";
import { type BundleHeader, formatBundleHeader } from "./header.ts";

/**
 * Writes a bundle of everything reachable from the header's refs except what is reachable from its prerequisites; thin
 * if there are any. `emit` takes ownership of each buffer, and resolves when more may be sent.
 * @throws CorruptObject if something is missing
 */
export async function writeBundle(
  store: ObjectStore,
  commits: Commits,
  header: BundleHeader,
  emit: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  const plan = planPack(
    { store, commits, closed: [] },
    {
      wants: [...new Set(header.refs.map(({ oid }) => oid))],
      haves: header.prerequisites.map(({ oid }) => oid),
      filter: undefined,
      cuts: undefined,
      followTags: [],
      mayCopyPacks: true,
    },
  );
  await emit(new Uint8Array(formatBundleHeader(header)));
  const output = new PackOutput(emit, undefined, store.format, { hashed: !isOneStoredPack(plan.contents) });
  await writePack(plan.catalog, plan.contents, { ofsDelta: true, thin: true }, output);
  await output.finish();
}
