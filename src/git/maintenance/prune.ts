import { statSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../objects/types.ts";
import { replacedPacks } from "../odb/replaced.ts";
import { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { Reach } from "./enumerate.ts";
import { PackingData } from "./packing-data.ts";

export interface PruneOptions {
  /** All referenced objects: refs and reflog entries. */
  readonly roots: readonly Oid[];
  /** Packs marked as replaced before this time (milliseconds since 1970) may be removed. */
  readonly replacedBefore: number;
  /** Unreachable loose objects written before this time (seconds since 1970) may be removed. */
  readonly pruneBefore: number;
}

/** What may be removed, as of the time of planning. */
export interface PrunePlan {
  /** Packs whose objects are all stored elsewhere or unreachable. */
  readonly packs: readonly string[];
  /** Marked packs with needed objects stored nowhere else: these are not replaced after all. */
  readonly neededPacks: readonly string[];
  /** Loose objects that are also in a pack. */
  readonly copies: readonly Oid[];
  /** Loose objects whose last copy would be removed. */
  readonly lostLoose: readonly Oid[];
  /** Number of objects whose last copy would be removed. */
  readonly lost: number;
}

/**
 * Determines which replaced packs and loose files can be removed. If objects would be lost, walks everything reachable
 * from the roots first to ensure that none of them is needed. The plan is valid as long as no ref moves and nobody
 * writes.
 */
export function planPrune(repoDir: string, options: PruneOptions): PrunePlan {
  const marks = replacedPacks(repoDir);
  const isGoing = (name: string) => (marks.get(name) ?? Number.POSITIVE_INFINITY) <= options.replacedBefore;
  return planRemoval(repoDir, { ...options, isGoing });
}

/** As `planPrune`, for packs chosen by the caller. */
export function planRemoval(
  repoDir: string,
  options: Omit<PruneOptions, "replacedBefore"> & { readonly isGoing: (pack: string) => boolean },
): PrunePlan {
  const store = ObjectStore.open(repoDir);
  try {
    const going = store.packs().filter(({ name }) => options.isGoing(name));
    const staying = store.packs().filter(({ name }) => !options.isGoing(name));
    const isIn = (oid: Oid) => staying.some((pack) => pack.index.row(oid) >= 0);
    const loose = store.looseOids();
    const copies = loose.filter(isIn);
    const alone = new Set(loose.filter((oid) => !isIn(oid)));
    const isOld = (oid: Oid) => writtenSeconds(repoDir, oid) < options.pruneBefore;
    const old = [...alone].filter(isOld);
    // Objects that neither the remaining packs nor loose files contain, by pack.
    const only = going.map((pack) => onlyHere(pack, staying, alone));
    if (old.length === 0 && only.every((oids) => oids.length === 0))
      return { packs: going.map(({ name }) => name), neededPacks: [], copies, lostLoose: [], lost: 0 };
    const packing = PackingData.of(store, store.packs(), loose);
    const reach = new Reach(packing, { tolerant: true });
    reach.walk(options.roots);
    reach.walk([...alone].filter((oid) => !isOld(oid)));
    const isNeeded = (oid: Oid) => reach.found[packing.table.findOid(oid)] === 1;
    const isPackNeeded = going.map((_, at) => only[at]!.some(isNeeded));
    const lostLoose = old.filter((oid) => !isNeeded(oid));
    const lost = new Set([...lostLoose, ...only.flatMap((oids, at) => (isPackNeeded[at] ? [] : oids))]);
    const namesOf = (needed: boolean) => going.filter((_, at) => isPackNeeded[at] === needed).map(({ name }) => name);
    return { packs: namesOf(false), neededPacks: namesOf(true), copies, lostLoose, lost: lost.size };
  } finally {
    store.close();
  }
}

function onlyHere(pack: PackFile, staying: readonly PackFile[], alone: ReadonlySet<Oid>): Oid[] {
  const names = pack.index.allNames();
  const bytes = new Uint8Array(names.buffer, names.byteOffset, names.byteLength);
  const width = pack.index.objectCount === 0 ? 0 : bytes.length / pack.index.objectCount;
  const found: Oid[] = [];
  for (let row = 0; row < pack.index.objectCount; row++) {
    if (staying.some((other) => other.index.rowAt(bytes, row * width) >= 0)) continue;
    const oid = pack.index.oidOf(row);
    if (!alone.has(oid)) found.push(oid);
  }
  return found;
}

function writtenSeconds(repoDir: string, oid: Oid): number {
  const path = join(repoDir, "objects", oid.slice(0, 2), oid.slice(2));
  return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) / 1000;
}
