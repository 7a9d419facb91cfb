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
  /** What they lead to goes into one pack that is complete for them. All of it must be there. */
  readonly roots: readonly Oid[];
  /** What only these lead to goes into packs of their own, one a group: what fewer clones ask for. All of it must be there. */
  readonly laterRoots?: readonly (readonly Oid[])[];
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
  /** Packs that are not even looked into: refs lead to every object in them. */
  readonly stable?: StablePacks;
  /** Remember what the pack is complete for. */
  readonly withClosure?: boolean;
}

/** What a repack came to. The old packs and loose files are still there. */
export interface Repacked {
  /** Name (`pack-<id>`) of the pack with what the roots lead to; null when that is nothing. */
  readonly pack: string | null;
  /** Names of the packs with what only `laterRoots` lead to. */
  readonly later: readonly string[];
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

/**
 * The same, but packs in which nothing is to be done are not looked into: what it costs follows what is loose, what came
 * without a closure record, and what lies together with objects that nothing leads to any more.
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

/** Whether all that is not stable is kept for its time, which is not over, and no ref leads to any of it again. */
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
  /** By slot: 1 for objects that lie in packs which are not touched, or not looked into. */
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
    // What is in packs that stay counts as passed; what points to it is noted.
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

  /** Whether the one pack that is there is what would be made. */
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
    // As many, of so few packs, are the same: everything that is there was counted.
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

  /** What a pack of all that was met is complete for; null when part of it lies in packs that were left alone. */
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

/** Where the walk begins: at the roots, and at what packs that are not looked into point to. @throws CorruptObject one is missing that may not be */
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
