import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { syncPath, writeSynced } from "../durable.ts";
import type { Closure } from "../receive/closure.ts";
import { admit, type CrashPoint, MAINTENANCE_PREFIX, newQuarantine } from "../receive/quarantine.ts";
import { Chains } from "./chains.ts";
import { DeltaSearch } from "./delta-search.ts";
import { formatMtimes } from "./mtimes.ts";
import type { PackingData } from "./packing-data.ts";
import { Spill } from "./spill.ts";
import { RepackWriter, type WrittenPack } from "./write-pack.ts";

export type Phase = "Counting objects" | "Compressing objects" | "Writing objects";
export type OnProgress = (phase: Phase, done: number, total: number | undefined) => void;

/** How much work to put into the delta search. */
export interface Effort {
  readonly window: number;
  readonly depth: number;
  /** Keep stored deltas instead of looking for better ones. */
  readonly reuse: boolean;
}

const USUAL_EFFORT: Effort = { window: 10, depth: 50, reuse: true };
export const AGGRESSIVE_EFFORT: Effort = { window: 250, depth: 50, reuse: false };

export interface MakeOptions {
  readonly effort?: Effort;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
}

const WINDOW_BYTES = 64 * 1024 * 1024;
/** Larger objects are not compared with others: two of them and an index would fill the window. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024;

/** Creates packs from a `PackingData`'s objects and moves them into the store. */
export class PackMaker {
  /** Number of new deltas found. */
  newDeltas = 0;

  constructor(
    private readonly repoDir: string,
    private readonly packing: PackingData,
    private readonly quarantineDir: string,
    private readonly options: MakeOptions,
  ) {}

  /** Writes a pack of these objects in this order, deltified. @param hashes hashes of their paths, by slot */
  async make(slots: Uint32Array, hashes: Uint32Array): Promise<WrittenPack> {
    const { packing, options } = this;
    const effort = options.effort ?? USUAL_EFFORT;
    const isIn = new Uint8Array(packing.table.size);
    if (effort.reuse) for (const slot of slots) isIn[slot] = 1;
    const spill = new Spill(join(this.quarantineDir, `deltas-${crypto.randomUUID()}`), packing.table.size);
    try {
      const search = new DeltaSearch(packing, spill, {
        window: effort.window,
        depth: effort.depth,
        windowBytes: WINDOW_BYTES,
        maxObjectBytes: MAX_COMPARED_BYTES,
        trustPacks: effort.reuse,
        onProgress: (done, total) => this.tell("Compressing objects", done, total),
      });
      const chains = new Chains(packing, slots, isIn, effort.depth, (slot, ancestors) =>
        search.shorten(slot, ancestors),
      );
      await search.run(slots, chains, hashes);
      this.newDeltas += spill.count;
      const writer = new RepackWriter(packing, chains, spill, (done, total) =>
        this.tell("Writing objects", done, total),
      );
      const written = await writer.write(this.quarantineDir, slots);
      options.crashPoint?.("repack: pack written");
      return written;
    } finally {
      spill.close();
    }
  }

  /** Moves a finished pack into the store, durably. */
  admit({ packId, objects, bytes }: WrittenPack, closure: Closure | null): void {
    const { repoDir, quarantineDir } = this;
    // In a separate directory, which is removed along with it.
    const own = newQuarantine(repoDir, MAINTENANCE_PREFIX);
    for (const suffix of ["pack", "idx"])
      renameSync(join(quarantineDir, `pack-${packId}.${suffix}`), join(own, `pack-${packId}.${suffix}`));
    const pack = { repoDir, quarantineDir: own, packId, objects, bytes, inflatedBytes: 0, closure, appendedBases: [] };
    admit(pack, this.options.crashPoint);
  }

  /**
   * As `admit`, for a cruft pack. The mtimes file goes first: without it the pack would be taken for a regular one, and
   * its objects for new. @param ages seconds since 1970, by slot
   */
  admitCruft(pack: WrittenPack, ages: Float64Array): void {
    const { packing, repoDir } = this;
    const rows = pack.order.slice().sort((a, b) => compareSlots(packing, a, b));
    const seconds = Uint32Array.from(rows, (slot) => ages[slot]!);
    const bytes = formatMtimes(packing.store.format, seconds, Buffer.from(pack.packId, "hex"));
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

  private tell(phase: Phase, done: number, total: number): void {
    this.options.signal?.throwIfAborted();
    this.options.onProgress?.(phase, done, total);
  }
}

function compareSlots(packing: PackingData, a: number, b: number): number {
  for (let word = 0; word < packing.store.format.oidBytes / 4; word++) {
    const difference = packing.table.word(a, word) - packing.table.word(b, word);
    if (difference !== 0) return difference;
  }
  return 0;
}
