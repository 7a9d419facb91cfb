import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { syncPath, writeSynced } from "../objects/durable.ts";
import { ObjectStore } from "../objects/store.ts";
import type { Oid } from "../objects/types.ts";
import type { PackFile } from "../packs/pack-file.ts";
import type { Closure } from "../receive/closure.ts";
import { admit, type CrashPoint, discard, newQuarantine } from "../receive/quarantine.ts";
import { agesOf } from "./ages.ts";
import { Chains } from "./chains.ts";
import { DeltaSearch } from "./delta-search.ts";
import { Inventory } from "./inventory.ts";
import { formatMtimes } from "./mtimes.ts";
import { Reach } from "./reach.ts";
import { Spill } from "./spill.ts";
import { RepackWriter, type WrittenPack } from "./write-pack.ts";

export type Phase = "Counting objects" | "Compressing objects" | "Writing objects";
export type OnProgress = (phase: Phase, done: number, total: number | undefined) => void;

/** How much work goes into looking for deltas. */
export interface Effort {
  readonly window: number;
  readonly depth: number;
  /** Keep stored deltas instead of looking for better ones. */
  readonly reuse: boolean;
}

export const USUAL_EFFORT: Effort = { window: 10, depth: 50, reuse: true };
export const AGGRESSIVE_EFFORT: Effort = { window: 250, depth: 50, reuse: false };

export interface RepackOptions {
  /** What they lead to goes into one pack that is complete for them. All of it must be there. */
  readonly roots: readonly Oid[];
  /** Goes into that pack as well, with what these lead to. */
  readonly alsoRoots?: readonly Oid[];
  /** What only these lead to is kept beside it, as far as it is there. */
  readonly keptRoots?: readonly Oid[];
  /** What nothing leads to and what was written before this time (seconds since 1970) is left out. Everything is kept without it. */
  readonly dropBefore?: number;
  /** Commits whose parents are not there. */
  readonly shallow?: ReadonlySet<Oid>;
  /** Missing objects are no mistake: the repository is a partial clone. */
  readonly partial?: boolean;
  /** Names of packs that are left as they are, and their objects with them. */
  readonly untouched?: ReadonlySet<string>;
  readonly effort?: Effort;
  /** Remember what the pack is complete for. */
  readonly withClosure?: boolean;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
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
const CACHE_BYTES = 48 * 1024 * 1024;
const WINDOW_BYTES = 64 * 1024 * 1024;
/** Larger objects are not compared with others: two of them and an index fill the window. */
const MOST_COMPARED_BYTES = 16 * 1024 * 1024;

/**
 * Writes everything that matters in a bare repository into one new pack, durably: stored deltas are taken over, for
 * objects that have none they are looked for. What nothing leads to any more goes into a second pack (a "cruft pack", as
 * real git has them), or nowhere when it is old. Nothing is removed.
 * @throws CorruptObject when something is missing or damaged; nothing has changed then
 */
export async function repack(repoDir: string, options: RepackOptions): Promise<Repacked> {
  const store = ObjectStore.open(repoDir, { cacheBytes: CACHE_BYTES });
  const quarantineDir = newQuarantine(repoDir);
  try {
    return await new Repack(repoDir, store, quarantineDir, options).run();
  } finally {
    discard({ quarantineDir });
    store.close();
  }
}

class Repack {
  private readonly inventory: Inventory;
  /** By slot: 1 for objects that lie in packs which are not touched. */
  private readonly untouched: Uint8Array;
  private newDeltas = 0;

  constructor(
    private readonly repoDir: string,
    private readonly store: ObjectStore,
    private readonly quarantineDir: string,
    private readonly options: RepackOptions,
  ) {
    this.inventory = Inventory.of(store, newestLast(store.packs()), store.looseOids());
    this.untouched = this.markUntouched();
  }

  async run(): Promise<Repacked> {
    const { inventory, options } = this;
    const onProgress = (objects: number) => {
      options.signal?.throwIfAborted();
      options.onProgress?.("Counting objects", objects, undefined);
    };
    const reach = new Reach(inventory, {
      onProgress,
      tolerant: options.partial ?? false,
      ...(options.shallow ? { shallow: options.shallow } : {}),
    });
    reach.walk(options.roots);
    const tips = options.withClosure ? this.tipsOf(reach) : [];
    reach.walk(options.alsoRoots ?? []);
    const main = this.inPackOrder(reach);
    const rest = this.keepRest(reach, onProgress);
    const packed = main.length === 0 ? undefined : await this.makePack(main, reach.hashes);
    const closure = options.withClosure ? this.closureOf(tips) : null;
    if (packed) this.admit(packed, closure);
    const cruft = rest.slots.length === 0 ? undefined : await this.makePack(rest.slots, reach.hashes);
    if (cruft) this.admitCruft(cruft, rest.ages);
    const made = [packed, cruft].map((pack) => (pack ? `pack-${pack.packId}` : null));
    const isUntouched = (name: string) => this.options.untouched?.has(name) ?? false;
    return {
      pack: made[0]!,
      cruft: made[1]!,
      objects: packed?.objects ?? 0,
      bytes: (packed?.bytes ?? 0) + (cruft?.bytes ?? 0),
      cruftObjects: cruft?.objects ?? 0,
      dropped: rest.dropped,
      newDeltas: this.newDeltas,
      replacedPacks: inventory.packs
        .map((pack) => pack.name)
        .filter((name) => !isUntouched(name) && !made.includes(name)),
      replacedLoose: inventory.loose.map((slot) => inventory.table.oidOf(slot)),
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

  /** What nothing leads to, but what is young, or what somebody still has a name for, with all that it leads to. */
  private keepRest(reach: Reach, onProgress: (objects: number) => void) {
    const { inventory, options } = this;
    const ages = agesOf(this.repoDir, inventory);
    const kept = new Reach(inventory, { tolerant: true, onProgress }, reach);
    kept.walk(options.keptRoots ?? []);
    const limit = options.dropBefore ?? Number.NEGATIVE_INFINITY;
    const young: Oid[] = [];
    for (let slot = 0; slot < ages.length; slot++)
      if (reach.found[slot] === 0 && ages[slot]! >= limit) young.push(inventory.table.oidOf(slot));
    kept.walk(young);
    let dropped = 0;
    for (let slot = 0; slot < ages.length; slot++) if (reach.found[slot] === 0 && this.untouched[slot] === 0) dropped++;
    return { slots: this.inPackOrder(kept), ages, dropped };
  }

  private async makePack(slots: Uint32Array, hashes: Uint32Array): Promise<WrittenPack> {
    const { inventory, options } = this;
    const effort = options.effort ?? USUAL_EFFORT;
    const isIn = new Uint8Array(inventory.table.size);
    if (effort.reuse) for (const slot of slots) isIn[slot] = 1;
    const spill = new Spill(join(this.quarantineDir, `deltas-${crypto.randomUUID()}`), inventory.table.size);
    try {
      const search = new DeltaSearch(inventory, spill, {
        window: effort.window,
        depth: effort.depth,
        windowBytes: WINDOW_BYTES,
        mostObjectBytes: MOST_COMPARED_BYTES,
        trustPacks: effort.reuse,
        onProgress: (done, total) => {
          options.signal?.throwIfAborted();
          options.onProgress?.("Compressing objects", done, total);
        },
      });
      const chains = new Chains(inventory, slots, isIn, effort.depth, (slot, ancestors) =>
        search.shorten(slot, ancestors),
      );
      await search.run(slots, chains, hashes);
      this.newDeltas += spill.count;
      const writer = new RepackWriter(inventory, chains, spill, (done, total) => {
        options.signal?.throwIfAborted();
        options.onProgress?.("Writing objects", done, total);
      });
      const written = await writer.write(this.quarantineDir, slots);
      options.crashPoint?.("repack: pack written");
      return written;
    } finally {
      spill.close();
    }
  }

  private admit(pack: WrittenPack, closure: Closure | null): void {
    const { repoDir, quarantineDir, options } = this;
    const { packId, objects, bytes } = pack;
    // Of its own, as the folder goes with it.
    const own = newQuarantine(repoDir);
    for (const suffix of ["pack", "idx"])
      renameSync(join(quarantineDir, `pack-${packId}.${suffix}`), join(own, `pack-${packId}.${suffix}`));
    admit(
      { repoDir, quarantineDir: own, packId, objects, bytes, inflatedBytes: 0, closure, appendedBases: [] },
      options.crashPoint,
    );
  }

  /** The times come first: without them the pack would be taken for one that matters, and all in it for new. */
  private admitCruft(pack: WrittenPack, ages: Float64Array): void {
    const { inventory, repoDir } = this;
    const rows = pack.order.slice().sort((a, b) => compareSlots(inventory, a, b));
    const seconds = Uint32Array.from(rows, (slot) => ages[slot]!);
    const bytes = formatMtimes(this.store.format, seconds, Buffer.from(pack.packId, "hex"));
    const path = join(repoDir, "objects", "pack", `pack-${pack.packId}.mtimes`);
    if (!existsSync(path)) {
      const temporary = join(this.quarantineDir, "mtimes");
      writeSynced(temporary, bytes, 0o444);
      renameSync(temporary, path);
      syncPath(join(repoDir, "objects", "pack"));
    }
    this.options.crashPoint?.("repack: times written");
    this.admit(pack, null);
  }

  private tipsOf(reach: Reach): Oid[] {
    const { table } = this.inventory;
    return [...new Set(this.options.roots)].filter((oid) => reach.pointedTo[table.findOid(oid)] !== 1);
  }

  /** Complete for its tips; not, when part of it lies in packs that were left alone. */
  private closureOf(tips: readonly Oid[]): Closure | null {
    const isWhole =
      (this.options.alsoRoots?.length ?? 0) === 0 &&
      (this.options.untouched?.size ?? 0) === 0 &&
      (this.options.shallow?.size ?? 0) === 0;
    return isWhole ? { tips, boundary: [], exact: true } : null;
  }

  private markUntouched(): Uint8Array {
    const { inventory, options } = this;
    const marks = new Uint8Array(inventory.table.size);
    inventory.packs.forEach((pack, at) => {
      if (!options.untouched?.has(pack.name)) return;
      for (let entry = inventory.firstOf(at); entry < inventory.firstOf(at + 1); entry++)
        marks[inventory.slots[entry]!] = 1;
    });
    return marks;
  }
}

/** The largest pack first: of two copies of an object its one is taken. */
function newestLast(packs: readonly PackFile[]): PackFile[] {
  return packs.toSorted((a, b) => b.index.objectCount - a.index.objectCount || (a.name < b.name ? -1 : 1));
}

function compareSlots(inventory: Inventory, a: number, b: number): number {
  for (let word = 0; word < inventory.store.format.oidBytes / 4; word++) {
    const difference = inventory.table.word(a, word) - inventory.table.word(b, word);
    if (difference !== 0) return difference;
  }
  return 0;
}
