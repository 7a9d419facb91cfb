import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { tipsOf } from "../pack-objects/tips.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { type Closure, MAX_BOUNDARY } from "../receive/closure.ts";
import { discard, MAINTENANCE_PREFIX, newQuarantine } from "../receive/quarantine.ts";
import { Reach } from "./enumerate.ts";
import { type MakeOptions, PackMaker } from "./make-pack.ts";
import { PackingData } from "./packing-data.ts";
import { MAINTENANCE_CACHE_BYTES, type Repacked } from "./repack.ts";
import { reachableGroups } from "./stable-packs.ts";

/** Larger loose objects wait for the next full repack. */
const MAX_LOOSE_BYTES = 32 * 1024 * 1024;

/**
 * Rolls the small packs of a bare repository and its loose objects into one pack, durably, at a cost that goes with
 * their size and not with that of the repository. Only what `roots` (the refs) lead to: packs of which something may be
 * lost stay for the full repack. Nothing is removed. Undefined when there is nothing to gain.
 * @throws CorruptObject when a stored entry is damaged; nothing has changed then
 */
export async function geometricRepack(
  repoDir: string,
  options: MakeOptions & { readonly roots: readonly Oid[]; readonly apartRoots?: readonly Oid[] },
): Promise<Repacked | undefined> {
  const store = ObjectStore.open(repoDir, { cacheBytes: MAINTENANCE_CACHE_BYTES });
  const quarantineDir = newQuarantine(repoDir, MAINTENANCE_PREFIX);
  try {
    const { cloned, apart } = reachableGroups(repoDir, store, options.roots, options.apartRoots ?? []);
    // One group at a time: what a clone takes stays apart from the rest.
    const isApart = choosePacks(cloned.map(({ pack }) => pack)).length < 2 && apart.length > 1;
    const reachable = isApart ? apart : cloned;
    const roots = tipsOf(store, isApart ? (options.apartRoots ?? []) : options.roots);
    const names = new Set(choosePacks(reachable.map(({ pack }) => pack)));
    const packs = reachable.filter(({ pack }) => names.has(pack.name));
    const loose = isApart
      ? []
      : store
          .looseOids()
          .filter((oid) => !store.locate(oid) && (store.header(oid)?.sizeBytes ?? Infinity) <= MAX_LOOSE_BYTES);
    if (loose.length === 0 && packs.length < 2) return undefined;
    const packing = PackingData.of(
      store,
      packs.map(({ pack }) => pack),
      loose,
    );
    // Hundreds of closures and indexes were read.
    Bun.gc(true);
    const starts = [...roots, ...reachable.flatMap((one) => one.boundary)];
    // A base that completed a thin push lies in the pack that it came from as well. Here it would be a tip that only
    // that pack leads to, while only this one leads to that pack.
    const others = reachable.filter(({ pack }) => !names.has(pack.name));
    const isElsewhere = (oid: Oid) => others.some(({ pack }) => pack.index.row(oid) >= 0);
    const { slots, reach, closure } = choose(packing, starts, isElsewhere, options);
    const packedLoose = packing.loose.filter((slot) => reach.found[slot] === 1);
    if (packedLoose.length === 0 && packs.length < 2) return undefined;
    const maker = new PackMaker(repoDir, packing, quarantineDir, options);
    const made = await maker.make(slots, reach.hashes);
    maker.admit(made, closure);
    const pack = `pack-${made.packId}`;
    return {
      pack,
      apart: null,
      cruft: null,
      objects: made.objects,
      bytes: made.bytes,
      cruftObjects: 0,
      dropped: 0,
      newDeltas: maker.newDeltas,
      replacedPacks: [...names].filter((name) => name !== pack),
      replacedLoose: packedLoose.map((slot) => packing.table.oidOf(slot)),
    };
  } finally {
    discard({ quarantineDir });
    store.close();
  }
}

/**
 * The smallest packs, as many as it takes for every other pack to hold at least twice the objects of all smaller ones
 * together: then the number of packs grows with the logarithm of the number of objects.
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

/**
 * What goes into the pack: everything in the chosen packs, but for what others hold as well, and the loose objects that something leads to; with the
 * hashes of their paths, and what the pack is complete for.
 */
function choose(packing: PackingData, roots: readonly Oid[], isElsewhere: (oid: Oid) => boolean, options: MakeOptions) {
  const outside = new Set<Oid>();
  const reach = new Reach(packing, {
    tolerant: true,
    onMissing: (oid) => outside.add(oid),
    onProgress: (objects) => {
      options.signal?.throwIfAborted();
      options.onProgress?.("Counting objects", objects, undefined);
    },
  });
  const { table } = packing;
  reach.walk(roots.filter((oid) => table.findOid(oid) >= 0));
  // What is only led to by way of other packs. It has its name from there, and is compared with what is of its size.
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
  const tips = Array.from(
    slots.filter((slot) => reach.pointedTo[slot] !== 1),
    (slot) => table.oidOf(slot),
  );
  const closure: Closure | null =
    outside.size > MAX_BOUNDARY ? null : { tips, boundary: [...outside].sort(), exact: true };
  return { slots, reach, closure };
}
