import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import type { ClosedPack } from "../pack-objects/closures.ts";
import { tipsOf } from "../pack-objects/tips.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { type Closure, MAX_BOUNDARY } from "../receive/closure.ts";
import { discard, MAINTENANCE_PREFIX, newQuarantine } from "../receive/quarantine.ts";
import { Reach } from "./enumerate.ts";
import { type MakeOptions, PackMaker } from "./make-pack.ts";
import { PackingData } from "./packing-data.ts";
import { MAINTENANCE_CACHE_BYTES, type Repacked, type RepackOptions } from "./repack.ts";
import { reachableGroups } from "./stable-packs.ts";

/** Larger loose objects wait for the next full repack. */
const MAX_LOOSE_BYTES = 32 * 1024 * 1024;

export type GeometricOptions = MakeOptions & Pick<RepackOptions, "roots" | "laterRoots">;

/**
 * Combines the small packs of a bare repository and its loose objects into one pack, durably, at a cost proportional to
 * their size and not to that of the repository. Only includes objects reachable from the roots (the refs): packs with
 * unreachable objects are left to the full repack. Repacks the first group of roots that has something to gain. Removes
 * nothing. Returns undefined when there is nothing to gain.
 * @throws CorruptObject when a stored entry is damaged; nothing has changed then
 */
export async function geometricRepack(repoDir: string, options: GeometricOptions): Promise<Repacked | undefined> {
  const store = ObjectStore.open(repoDir, { cacheBytes: MAINTENANCE_CACHE_BYTES });
  const quarantineDir = newQuarantine(repoDir, MAINTENANCE_PREFIX);
  try {
    const roots = [options.roots, ...(options.laterRoots ?? [])];
    const groups = reachableGroups(repoDir, store, roots);
    // Hundreds of closures and indexes have been read.
    Bun.gc(true);
    for (const [at, group] of groups.entries()) {
      const before = groups.slice(0, at).flat();
      const found = choose(store, group, before, tipsOf(store, roots[at] ?? []), options);
      if (found) return await combine(repoDir, quarantineDir, found, options);
    }
    return undefined;
  } finally {
    discard({ quarantineDir });
    store.close();
  }
}

async function combine(
  repoDir: string,
  quarantineDir: string,
  { packing, slots, reach, closure, packedLoose }: Choice,
  options: MakeOptions,
): Promise<Repacked> {
  const maker = new PackMaker(repoDir, packing, quarantineDir, options);
  const made = await maker.make(slots, reach.hashes);
  maker.admit(made, closure);
  const pack = `pack-${made.packId}`;
  return {
    pack,
    later: [],
    cruft: null,
    objects: made.objects,
    bytes: made.bytes,
    cruftObjects: 0,
    dropped: 0,
    newDeltas: maker.newDeltas,
    replacedPacks: packing.packs.map(({ name }) => name).filter((name) => name !== pack),
    replacedLoose: packedLoose.map((slot) => packing.table.oidOf(slot)),
  };
}

/**
 * Chooses as many of the smallest packs as needed so that every other pack has at least twice the objects of all
 * smaller ones together; the number of packs then grows with the logarithm of the number of objects.
 */
function choosePacks(packs: readonly PackFile[]): string[] {
  const sorted = [...packs].sort((a, b) => a.index.objectCount - b.index.objectCount);
  let chosen = 0;
  let below = 0;
  for (let i = 0; i < sorted.length; i++) {
    const count = sorted[i]!.index.objectCount;
    if (i > 0 && count < 2 * below) chosen = i + 1;
    below += count;
  }
  return sorted.slice(0, chosen).map((pack) => pack.name);
}

interface Choice {
  readonly packing: PackingData;
  readonly slots: Uint32Array;
  readonly reach: Reach;
  readonly closure: Closure | null;
  readonly packedLoose: readonly number[];
}

/**
 * Chooses the objects of the pack: everything in the chosen packs except what others also contain, and the reachable
 * loose objects; with the hashes of their paths, and the closure for which the pack is complete.
 */
function choose(
  store: ObjectStore,
  group: readonly ClosedPack[],
  before: readonly ClosedPack[],
  tips: Iterable<Oid>,
  options: MakeOptions,
): Choice | undefined {
  const names = new Set(choosePacks(group.map(({ pack }) => pack)));
  const packs = group.filter(({ pack }) => names.has(pack.name)).map(({ pack }) => pack);
  const isSmall = (oid: Oid) => (store.header(oid)?.sizeBytes ?? Infinity) <= MAX_LOOSE_BYTES;
  const loose = store.looseOids().filter((oid) => !store.locate(oid) && isSmall(oid));
  if (loose.length === 0 && packs.length < 2) return undefined;
  const packing = PackingData.of(store, packs, loose);
  const { table } = packing;
  const outside = new Set<Oid>();
  const reach = new Reach(packing, {
    tolerant: true,
    onMissing: (oid) => outside.add(oid),
    onProgress: (objects) => {
      options.signal?.throwIfAborted();
      options.onProgress?.("Counting objects", objects, undefined);
    },
  });
  const starts = [...tips, ...group.flatMap((one) => one.boundary)];
  reach.walk(starts.filter((oid) => table.findOid(oid) >= 0));
  const packedLoose = packing.loose.filter((slot) => reach.found[slot] === 1);
  if (packedLoose.length === 0 && packs.length < 2) return undefined;
  // A base that completed a thin pack is also in its original pack. Included here, it would be a tip reachable only
  // from that pack, while that pack is reachable only from this one.
  const others = [...before, ...group.filter(({ pack }) => !names.has(pack.name))];
  const isElsewhere = (oid: Oid) => others.some(({ pack }) => pack.index.row(oid) >= 0);
  // Objects reachable only through other packs. Their paths are unknown here, so they are compared by size.
  const left: Oid[] = [];
  for (let entry = 0; entry < packing.entryCount; entry++) {
    const slot = packing.slots[entry]!;
    if (reach.found[slot] === 1) continue;
    const oid = table.oidOf(slot);
    if (!isElsewhere(oid)) left.push(oid);
  }
  reach.walk(left);
  const slots = new Uint32Array(reach.count);
  let used = 0;
  for (const list of [reach.commits, reach.tags, reach.trees, reach.blobs])
    for (const slot of list.values()) slots[used++] = slot;
  const own = Array.from(
    slots.filter((slot) => reach.pointedTo[slot] !== 1),
    (slot) => table.oidOf(slot),
  );
  const closure: Closure | null =
    outside.size > MAX_BOUNDARY ? null : { tips: own, boundary: [...outside].sort(), exact: true };
  return { packing, slots, reach, closure, packedLoose };
}
