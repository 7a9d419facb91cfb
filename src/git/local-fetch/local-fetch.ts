import { createReadStream, existsSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { Commits } from "../graph/commits.ts";
import { CommitGraph } from "../graph/reader.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { closedPacks } from "../pack-objects/closures.ts";
import { PackOutput } from "../pack-objects/output.ts";
import { type PackPlan, planLinks, planPack } from "../pack-objects/plan.ts";
import { countOf, writePack } from "../pack-objects/writer.ts";
import { ingestPack } from "../receive/ingest.ts";
import { admit, type CrashPoint, discard, newQuarantine } from "../receive/quarantine.ts";
import { linkPack } from "./link-pack.ts";

export interface LocalFetchOptions {
  /** Fetched with everything reachable from them. */
  readonly tips: readonly Oid[];
  /** The tips of all refs of the fetching repository: everything reachable from them is present and complete. */
  readonly connectedTo: readonly Oid[];
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
}

export interface LocallyFetched {
  /** Packs that the repositories now share by hard links. */
  readonly linkedPacks: number;
  /** The number of objects copied. */
  readonly objects: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;

/**
 * Fetches from one bare repository into another of the same object format on the same disk, durably. Like `git clone
 * --local`, it gives an empty repository hard links to packs: nothing is copied, and each repository remains complete
 * and standard whatever happens to the other. But only packs all of whose objects are reachable from the tips are
 * linked; the remaining reachable objects come in a new pack, verified like a push. So no object unreachable from the
 * tips is ever copied. Updates no refs.
 * @throws CorruptObject BadPack if something is missing or damaged
 */
export async function fetchLocally(
  fromDir: string,
  repoDir: string,
  options: LocalFetchOptions,
): Promise<LocallyFetched> {
  const { tips, connectedTo } = options;
  const crashPoint = options.crashPoint ?? (() => {});
  const store = ObjectStore.open(fromDir, { cacheBytes: CACHE_BYTES });
  try {
    const onProgress = () => options.signal?.throwIfAborted();
    const context = {
      store,
      commits: new Commits(store, CommitGraph.open(fromDir)),
      closed: closedPacks(fromDir, store),
      onProgress,
    };
    if (!isEmpty(repoDir)) {
      const haves = connectedTo.filter((oid) => store.has(oid));
      const common = { filter: undefined, cuts: undefined, followTags: [], mayCopyPacks: false };
      const plan = planPack(context, { wants: tips, haves, ...common });
      return { linkedPacks: 0, objects: await bring(plan, store, repoDir, options) };
    }
    const plan = planLinks(context, tips);
    for (const pack of plan.packs) {
      linkPack(fromDir, repoDir, pack.name, crashPoint);
      onProgress();
    }
    const linked = new Set(plan.packs.map(({ name }) => name));
    const linkedTips = context.closed.flatMap((closed) => (linked.has(closed.pack.name) ? closed.tips : []));
    const objects = await bring(plan, store, repoDir, { ...options, connectedTo: [...connectedTo, ...linkedTips] });
    return { linkedPacks: linked.size, objects };
  } finally {
    store.close();
  }
}

/** Copies the planned objects in a pack. @returns how many */
async function bring(
  { catalog, contents }: PackPlan,
  store: ObjectStore,
  repoDir: string,
  options: LocalFetchOptions,
): Promise<number> {
  const count = countOf(contents);
  if (count === 0) return 0;
  const quarantineDir = newQuarantine(repoDir);
  try {
    const path = join(quarantineDir, "outgoing.pack");
    const fd = openFile(path, "wx", 0o600);
    try {
      const emit = async (bytes: Uint8Array) => {
        options.signal?.throwIfAborted();
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at);
      };
      const output = new PackOutput(emit, undefined, store.format, { hashed: true });
      await writePack(catalog, contents, { ofsDelta: true, thin: true }, output);
      await output.finish();
    } finally {
      closeFile(fd);
    }
    const quarantined = await ingestPack({
      repoDir,
      quarantineDir,
      pack: createReadStream(path),
      newTips: options.tips,
      connectedTo: options.connectedTo,
      // The objects were checked when first received, under the rules of that time.
      strict: false,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.crashPoint ? { crashPoint: options.crashPoint } : {}),
    });
    admit(quarantined, options.crashPoint);
  } finally {
    discard({ quarantineDir });
  }
  return count;
}

function isEmpty(repoDir: string): boolean {
  const objectsDir = join(repoDir, "objects");
  const isStored = (name: string) => /^[0-9a-f]{2}$/.test(name) || (name === "pack" && hasPacks(objectsDir));
  return !existsSync(objectsDir) || !readdirSync(objectsDir).some(isStored);
}

function hasPacks(objectsDir: string): boolean {
  return readdirSync(join(objectsDir, "pack")).some((name) => name.endsWith(".idx"));
}
