import { CorruptObject } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import { replacedPacks } from "../odb/replaced.ts";
import { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { type Closure, MAX_BOUNDARY, readClosure } from "../receive/closure.ts";
import { discard, MAINTENANCE_PREFIX, newQuarantine } from "../receive/quarantine.ts";
import { agesOf } from "./ages.ts";
import { Reach } from "./enumerate.ts";
import { type MakeOptions, PackMaker } from "./make-pack.ts";
import { readMtimes } from "./mtimes.ts";
import { PackingData } from "./packing-data.ts";
import { findStablePacks, type StablePacks } from "./stable-packs.ts";
import type { WrittenPack } from "./write-pack.ts";

export interface RepackOptions extends MakeOptions {
  /** Everything reachable from these goes into one pack that is complete for them. None of it may be missing. */
  readonly roots: readonly Oid[];
  /** Objects reachable only from these, which fewer clones request, go into one pack per group. None may be missing. */
  readonly laterRoots?: readonly (readonly Oid[])[];
  /** These, and everything reachable from them, go into the main pack as well. */
  readonly alsoRoots?: readonly Oid[];
  /** Objects reachable only from these are kept separately, as far as they exist. */
  readonly retainedRoots?: readonly Oid[];
  /** Drop unreachable objects written before this time (seconds since 1970). By default everything is kept. */
  readonly pruneBefore?: number;
  /** Commits whose parents are missing. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Allow missing objects because the repository is a partial clone. */
  readonly partial?: boolean;
  /** Names of packs to leave unchanged, with their objects. */
  readonly untouched?: ReadonlySet<string>;
  /** Packs to skip entirely, because refs reach every object in them. */
  readonly stable?: StablePacks;
  /** Record the closure for which the pack is complete. */
  readonly withClosure?: boolean;
}

/** The result of a repack. The old packs and loose files still exist. */
export interface Repacked {
  /** Name (`pack-<id>`) of the pack with the objects reachable from the roots; null when there are none. */
  readonly pack: string | null;
  /** Names of the packs with objects reachable only from `laterRoots`. */
  readonly later: readonly string[];
  /** Name of the pack of unreachable objects that are kept, if any. */
  readonly cruft: string | null;
  readonly objects: number;
  readonly bytes: number;
  readonly cruftObjects: number;
  /** Number of objects in no new pack. */
  readonly dropped: number;
  /** Number of new deltas found. */
  readonly newDeltas: number;
  /** Packs no longer needed, except for dropped objects. */
  readonly replacedPacks: readonly string[];
  readonly replacedLoose: readonly Oid[];
}

/** Bytes of recently read objects to cache, because delta chains are followed constantly. */
export const MAINTENANCE_CACHE_BYTES = 48 * 1024 * 1024;

/**
 * Writes all reachable objects of a bare repository into one new pack, durably: stored deltas are reused, and searched
 * for where there are none. Unreachable objects go into a second pack (a "cruft pack", as in
 * real git), or are dropped if old. Removes nothing.
 * @throws CorruptObject when something is missing or damaged; nothing has changed then
 */
export async function repack(repoDir: string, options: RepackOptions): Promise<Repacked> {
  return withRepack(repoDir, options, (work) => work.run());
}

/** As `repack`, but returns undefined if the result would match the existing packs. Ignores packs already replaced. */
export async function repackIfUseful(repoDir: string, options: RepackOptions): Promise<Repacked | undefined> {
  return withRepack(repoDir, options, async (work) => (work.isDone() ? undefined : work.run()));
}

/**
 * As `repackIfUseful`, but skips packs that need no work: the cost depends only on loose objects, packs without a
 * closure record, and packs that contain unreachable objects.
 */
export async function repackStale(
  repoDir: string,
  options: Omit<RepackOptions, "stable">,
): Promise<Repacked | undefined> {
  const store = ObjectStore.open(repoDir);
  try {
    const groups = [options.roots, ...(options.laterRoots ?? [])];
    const stable = findStablePacks(repoDir, store, groups);
    if (isOnlyKept(repoDir, store, stable, groups.flat(), options.pruneBefore)) return undefined;
    return await repackIfUseful(repoDir, { ...options, stable });
  } finally {
    store.close();
  }
}

/** Whether everything outside stable packs is cruft still in its grace period, and no ref reaches any of it again. */
function isOnlyKept(
  repoDir: string,
  store: ObjectStore,
  stable: StablePacks,
  roots: readonly Oid[],
  pruneBefore = Number.NEGATIVE_INFINITY,
): boolean {
  const replaced = replacedPacks(repoDir);
  const names = new Set(stable.packs.map(({ name }) => name));
  const others = store.packs().filter(({ name }) => !names.has(name) && !replaced.has(name));
  if (store.looseOids().length > 0 || others.length > 1) return false;
  const isYoung = (pack: PackFile) =>
    readMtimes(`${pack.stem}.mtimes`, store.format, pack.index.objectCount)?.every((time) => time >= pruneBefore);
  if (!others.every(isYoung)) return false;
  const starts = [...roots, ...stable.pointedTo.flatMap((oids) => [...oids])];
  return starts.every((oid) => stable.packs.some(({ index }) => index.row(oid) >= 0));
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
  /** By slot: 1 for objects in packs that are left unchanged or skipped. */
  private readonly untouched: Uint8Array;
  private readonly reach: Reach;
  private readonly main: Uint32Array;
  private readonly closure: Closure | null;
  private readonly later: readonly { readonly slots: Uint32Array; readonly closure: Closure | null }[];
  private readonly rest: Rest;

  constructor(
    private readonly repoDir: string,
    store: ObjectStore,
    private readonly quarantineDir: string,
    private readonly options: RepackOptions,
  ) {
    const stable = options.stable?.packs ?? [];
    const names = new Set(stable.map(({ name }) => name));
    const isStable = (oid: Oid) => stable.some(({ index }) => index.row(oid) >= 0);
    const mayLack = (oid: Oid) => options.partial === true || isStable(oid);
    const packs = largestFirst(store.packs().filter(({ name }) => !names.has(name)));
    this.packing = PackingData.of(store, packs, store.looseOids());
    this.untouched = this.markUntouched();
    const onProgress = (objects: number) => {
      options.signal?.throwIfAborted();
      options.onProgress?.("Counting objects", objects, undefined);
    };
    const { table } = this.packing;
    const outside = new Set<Oid>();
    const isOutside = (oid: Oid) => isStable(oid) && outside.add(oid) !== undefined;
    // Objects in packs that stay count as visited; references to them are recorded.
    const passed = new Uint8Array(table.size);
    for (let slot = 0; slot < passed.length; slot++) if (isStable(table.oidOf(slot))) passed[slot] = 1;
    const onPointedTo = (slot: number) => {
      if (passed[slot] === 1) outside.add(table.oidOf(slot));
    };
    const how = {
      onProgress,
      isOutside,
      onPointedTo,
      tolerant: options.partial ?? false,
      ...(options.shallow ? { shallow: options.shallow } : {}),
    };
    this.reach = new Reach(this.packing, how);
    for (let slot = 0; slot < passed.length; slot++) {
      if (passed[slot] !== 1) continue;
      this.reach.found[slot] = 1;
      this.untouched[slot] = 1;
    }
    this.reach.walk(startsAmong(options.stable?.pointedTo[0], options.roots, this.packing, mayLack));
    this.closure = this.closureOf(this.reach, outside);
    this.reach.walk(options.alsoRoots ?? []);
    this.main = this.inPackOrder(this.reach);
    this.later = (options.laterRoots ?? []).map((roots, at) => {
      passed.set(this.reach.found);
      outside.clear();
      const reach = new Reach(this.packing, how, this.reach);
      reach.walk(startsAmong(options.stable?.pointedTo[at + 1], roots, this.packing, mayLack));
      return { slots: this.inPackOrder(reach), closure: this.closureOf(reach, outside) };
    });
    this.rest = this.keepRest(onProgress);
  }

  /** Whether the existing packs are the ones that would be written. */
  isDone(): boolean {
    const { packing, main, later, rest } = this;
    if (packing.loose.length > 0) return false;
    const replaced = replacedPacks(this.repoDir);
    const packs = packing.packs.filter((pack) => !replaced.has(pack.name));
    const sizes = packs.map((pack) => pack.index.objectCount).sort((a, b) => b - a);
    const wanted = [main.length, ...later.map(({ slots }) => slots.length), rest.slots.length]
      .filter((count) => count > 0)
      .sort((a, b) => b - a);
    if (sizes.length !== wanted.length || sizes.some((size, at) => size !== wanted[at])) return false;
    // Equal counts in so few packs mean the same objects, because everything that exists was counted.
    const closures = packs.map((pack) => readClosure(this.repoDir, pack.name.replace(/^pack-/, "")));
    const isUninteresting = closures.some(
      (closure) => closure?.exact && closure.tips.join() === this.closure?.tips.join(),
    );
    return main.length === 0 || !this.options.withClosure || isUninteresting;
  }

  async run(): Promise<Repacked> {
    const { packing, main, later, rest, reach } = this;
    const maker = new PackMaker(this.repoDir, packing, this.quarantineDir, this.options);
    const packed = main.length === 0 ? undefined : await maker.make(main, reach.hashes);
    if (packed) maker.admit(packed, this.closure);
    const beside: WrittenPack[] = [];
    for (const { slots, closure } of later) {
      if (slots.length === 0) continue;
      const pack = await maker.make(slots, reach.hashes);
      maker.admit(pack, closure);
      beside.push(pack);
    }
    const cruft = rest.slots.length === 0 ? undefined : await maker.make(rest.slots, reach.hashes);
    if (cruft) maker.admitCruft(cruft, rest.ages);
    const nameOf = (pack: WrittenPack | undefined) => (pack ? `pack-${pack.packId}` : null);
    const made = [packed, ...beside, cruft].map(nameOf);
    const isUntouched = (name: string) => this.options.untouched?.has(name) ?? false;
    return {
      pack: nameOf(packed),
      later: beside.map(({ packId }) => `pack-${packId}`),
      cruft: nameOf(cruft),
      objects: beside.reduce((sum, { objects }) => sum + objects, packed?.objects ?? 0),
      bytes: beside.reduce((sum, { bytes }) => sum + bytes, (packed?.bytes ?? 0) + (cruft?.bytes ?? 0)),
      cruftObjects: cruft?.objects ?? 0,
      dropped: rest.dropped,
      newDeltas: maker.newDeltas,
      replacedPacks: packing.packs
        .map((pack) => pack.name)
        .filter((name) => !isUntouched(name) && !made.includes(name)),
      replacedLoose: packing.loose.map((slot) => packing.table.oidOf(slot)),
    };
  }

  /** Commits, tags, trees, blobs, each in walk order, so that objects read together are stored together. */
  private inPackOrder(reach: Reach): Uint32Array {
    const lists = [reach.commits, reach.tags, reach.trees, reach.blobs];
    const slots = new Uint32Array(reach.count);
    let used = 0;
    for (const list of lists) for (const slot of list.values()) if (this.untouched[slot] === 0) slots[used++] = slot;
    return slots.subarray(0, used);
  }

  /** Unreachable objects to keep: the young, those retained roots refer to, and everything reachable from both. */
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

  /** The closure for which a pack of all reached objects is complete; null when some are in packs left unchanged. */
  private closureOf(reach: Reach, outside: ReadonlySet<Oid>): Closure | null {
    const { options } = this;
    const isWhole =
      options.withClosure &&
      (options.alsoRoots?.length ?? 0) === 0 &&
      (options.untouched?.size ?? 0) === 0 &&
      (options.shallow?.size ?? 0) === 0 &&
      !options.partial &&
      outside.size <= MAX_BOUNDARY;
    if (!isWhole) return null;
    const { table } = this.packing;
    const tips: Oid[] = [];
    for (const list of [reach.commits, reach.tags, reach.trees, reach.blobs])
      for (const slot of list.values()) if (reach.pointedTo[slot] !== 1) tips.push(table.oidOf(slot));
    return { tips: tips.sort(), boundary: [...outside].sort(), exact: true };
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

/** Starts of the walk: roots and targets of skipped packs. @throws CorruptObject when a required one is missing */
function startsAmong(
  pointedTo: Iterable<Oid> | undefined,
  roots: readonly Oid[],
  { table }: PackingData,
  mayLack: (oid: Oid) => boolean,
): Oid[] {
  const starts: Oid[] = [];
  for (const oid of new Set([...roots, ...(pointedTo ?? [])])) {
    if (table.findOid(oid) >= 0) starts.push(oid);
    else if (!mayLack(oid)) throw new CorruptObject(`missing object ${oid}`);
  }
  return starts;
}

/** Unreachable objects to keep. */
interface Rest {
  readonly slots: Uint32Array;
  /** Seconds since 1970, by slot. */
  readonly ages: Float64Array;
  readonly dropped: number;
}

/** Largest pack first: of several copies of an object, the one in the largest pack is used. */
function largestFirst(packs: readonly PackFile[]): PackFile[] {
  return packs.toSorted((a, b) => b.index.objectCount - a.index.objectCount || (a.name < b.name ? -1 : 1));
}
