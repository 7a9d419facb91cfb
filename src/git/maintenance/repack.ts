import type { Oid } from "../objects/types.ts";
import { replacedPacks } from "../odb/replaced.ts";
import { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { type Closure, readClosure } from "../receive/closure.ts";
import { discard, MAINTENANCE_PREFIX, newQuarantine } from "../receive/quarantine.ts";
import { agesOf } from "./ages.ts";
import { Reach } from "./enumerate.ts";
import { type MakeOptions, PackMaker } from "./make-pack.ts";
import { PackingData } from "./packing-data.ts";

export interface RepackOptions extends MakeOptions {
  /** What they lead to goes into one pack that is complete for them. All of it must be there. */
  readonly roots: readonly Oid[];
  /** Goes into that pack as well, with what these lead to. */
  readonly alsoRoots?: readonly Oid[];
  /** What only these lead to is kept beside it, as far as it is there. */
  readonly retainedRoots?: readonly Oid[];
  /** What is unreachable and what was written before this time (seconds since 1970) is left out. Everything is kept without it. */
  readonly pruneBefore?: number;
  /** Commits whose parents are not there. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Missing objects are no mistake: the repository is a partial clone. */
  readonly partial?: boolean;
  /** Names of packs that are left as they are, and their objects with them. */
  readonly untouched?: ReadonlySet<string>;
  /** Remember what the pack is complete for. */
  readonly withClosure?: boolean;
}

/** What a repack came to. The old packs and loose files are still there. */
export interface Repacked {
  /** Name (`pack-<id>`) of the pack with what the roots lead to; null when that is nothing. */
  readonly pack: string | null;
  /** Name of the pack with what is only kept, if there is any. */
  readonly cruft: string | null;
  readonly objects: number;
  readonly bytes: number;
  readonly cruftObjects: number;
  /** Objects that no new pack holds. */
  readonly dropped: number;
  /** Deltas that were found. */
  readonly newDeltas: number;
  /** Packs that are not needed any more, but for what was dropped. */
  readonly replacedPacks: readonly string[];
  readonly replacedLoose: readonly Oid[];
}

/** Bytes of recently read objects to keep: delta chains are followed all the time. */
export const MAINTENANCE_CACHE_BYTES = 48 * 1024 * 1024;

/**
 * Writes everything that matters in a bare repository into one new pack, durably: stored deltas are taken over, for
 * objects that have none they are looked for. What is unreachable any more goes into a second pack (a "cruft pack", as
 * real git has them), or nowhere when it is old. Nothing is removed.
 * @throws CorruptObject when something is missing or damaged; nothing has changed then
 */
export async function repack(repoDir: string, options: RepackOptions): Promise<Repacked> {
  return withRepack(repoDir, options, (work) => work.run());
}

/** The same, unless it would make what is there already; undefined then. Packs that are replaced already do not count. */
export async function repackIfUseful(repoDir: string, options: RepackOptions): Promise<Repacked | undefined> {
  return withRepack(repoDir, options, async (work) => (work.isDone() ? undefined : work.run()));
}

async function withRepack<T>(repoDir: string, options: RepackOptions, use: (work: Repack) => Promise<T>): Promise<T> {
  const store = ObjectStore.open(repoDir, { cacheBytes: MAINTENANCE_CACHE_BYTES });
  const quarantineDir = newQuarantine(repoDir, MAINTENANCE_PREFIX);
  try {
    return await use(new Repack(repoDir, store, quarantineDir, options));
  } finally {
    discard({ quarantineDir });
    store.close();
  }
}

class Repack {
  private readonly packing: PackingData;
  /** By slot: 1 for objects that lie in packs which are not touched. */
  private readonly untouched: Uint8Array;
  private readonly reach: Reach;
  private readonly main: Uint32Array;
  private readonly tips: readonly Oid[];
  private readonly rest: Rest;

  constructor(
    private readonly repoDir: string,
    store: ObjectStore,
    private readonly quarantineDir: string,
    private readonly options: RepackOptions,
  ) {
    this.packing = PackingData.of(store, largestFirst(store.packs()), store.looseOids());
    this.untouched = this.markUntouched();
    const onProgress = (objects: number) => {
      options.signal?.throwIfAborted();
      options.onProgress?.("Counting objects", objects, undefined);
    };
    this.reach = new Reach(this.packing, {
      onProgress,
      tolerant: options.partial ?? false,
      ...(options.shallow ? { shallow: options.shallow } : {}),
    });
    this.reach.walk(options.roots);
    this.tips = options.withClosure ? this.tipsOf(this.reach) : [];
    this.reach.walk(options.alsoRoots ?? []);
    this.main = this.inPackOrder(this.reach);
    this.rest = this.keepRest(onProgress);
  }

  /** Whether the one pack that is there is what would be made. */
  isDone(): boolean {
    const { packing, main, rest } = this;
    if (packing.loose.length > 0) return false;
    const replaced = replacedPacks(this.repoDir);
    const packs = packing.packs.filter((pack) => !replaced.has(pack.name));
    const sizes = packs.map((pack) => pack.index.objectCount).sort((a, b) => b - a);
    const wanted = [main.length, rest.slots.length].filter((count) => count > 0).sort((a, b) => b - a);
    if (sizes.length !== wanted.length || sizes.some((size, at) => size !== wanted[at])) return false;
    // As many, of so few packs, are the same: everything that is there was counted.
    const closures = packs.map((pack) => readClosure(this.repoDir, pack.name.replace(/^pack-/, "")));
    const isUninteresting = closures.some((closure) => closure?.exact && closure.tips.join() === this.tips.join());
    return main.length === 0 || !this.options.withClosure || isUninteresting;
  }

  async run(): Promise<Repacked> {
    const { packing, main, rest, reach } = this;
    const maker = new PackMaker(this.repoDir, packing, this.quarantineDir, this.options);
    const packed = main.length === 0 ? undefined : await maker.make(main, reach.hashes);
    if (packed) maker.admit(packed, this.closure());
    const cruft = rest.slots.length === 0 ? undefined : await maker.make(rest.slots, reach.hashes);
    if (cruft) maker.admitCruft(cruft, rest.ages);
    const made = [packed, cruft].map((pack) => (pack ? `pack-${pack.packId}` : null));
    const isUntouched = (name: string) => this.options.untouched?.has(name) ?? false;
    return {
      pack: made[0]!,
      cruft: made[1]!,
      objects: packed?.objects ?? 0,
      bytes: (packed?.bytes ?? 0) + (cruft?.bytes ?? 0),
      cruftObjects: cruft?.objects ?? 0,
      dropped: rest.dropped,
      newDeltas: maker.newDeltas,
      replacedPacks: packing.packs
        .map((pack) => pack.name)
        .filter((name) => !isUntouched(name) && !made.includes(name)),
      replacedLoose: packing.loose.map((slot) => packing.table.oidOf(slot)),
    };
  }

  /** Commits, tags, trees, blobs, each as they were met: what is read together lies together. */
  private inPackOrder(reach: Reach): Uint32Array {
    const lists = [reach.commits, reach.tags, reach.trees, reach.blobs];
    const slots = new Uint32Array(reach.count);
    let used = 0;
    for (const list of lists) for (const slot of list.values()) if (this.untouched[slot] === 0) slots[used++] = slot;
    return slots.subarray(0, used);
  }

  /** What is unreachable, but what is young, or what someone still has a name for, with all that it leads to. */
  private keepRest(onProgress: (objects: number) => void): Rest {
    const { packing, options, reach } = this;
    const ages = agesOf(this.repoDir, packing);
    const kept = new Reach(packing, { tolerant: true, onProgress }, reach);
    kept.walk(options.retainedRoots ?? []);
    const limit = options.pruneBefore ?? Number.NEGATIVE_INFINITY;
    const young: Oid[] = [];
    for (let slot = 0; slot < ages.length; slot++)
      if (reach.found[slot] === 0 && ages[slot]! >= limit) young.push(packing.table.oidOf(slot));
    kept.walk(young);
    let dropped = 0;
    for (let slot = 0; slot < ages.length; slot++) if (reach.found[slot] === 0 && this.untouched[slot] === 0) dropped++;
    return { slots: this.inPackOrder(kept), ages, dropped };
  }

  private tipsOf(reach: Reach): Oid[] {
    const { table } = this.packing;
    return [...new Set(this.options.roots)].filter((oid) => reach.pointedTo[table.findOid(oid)] !== 1).sort();
  }

  /** Complete for its tips; not, when part of it lies in packs that were left alone. */
  private closure(): Closure | null {
    const { options } = this;
    const isWhole =
      options.withClosure &&
      (options.alsoRoots?.length ?? 0) === 0 &&
      (options.untouched?.size ?? 0) === 0 &&
      (options.shallow?.size ?? 0) === 0 &&
      !options.partial;
    return isWhole ? { tips: this.tips, boundary: [], exact: true } : null;
  }

  private markUntouched(): Uint8Array {
    const { packing, options } = this;
    const marks = new Uint8Array(packing.table.size);
    packing.packs.forEach((pack, at) => {
      if (!options.untouched?.has(pack.name)) return;
      for (let entry = packing.firstOf(at); entry < packing.firstOf(at + 1); entry++) marks[packing.slots[entry]!] = 1;
    });
    return marks;
  }
}

/** What is kept beside what is led to. */
interface Rest {
  readonly slots: Uint32Array;
  /** Seconds since 1970, by slot. */
  readonly ages: Float64Array;
  readonly dropped: number;
}

/** Of two copies of an object the one in the largest pack is taken. */
function largestFirst(packs: readonly PackFile[]): PackFile[] {
  return packs.toSorted((a, b) => b.index.objectCount - a.index.objectCount || (a.name < b.name ? -1 : 1));
}
