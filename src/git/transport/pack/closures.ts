import type { ObjectStore } from "../../objects/store.ts";
import type { Oid } from "../../objects/types.ts";
import type { PackFile } from "../../packs/pack-file.ts";
import { readClosure } from "../../receive/closure.ts";

/**
 * A stored pack with what was recorded of it when it was taken in: every object in it is reachable from `tips`, and
 * everything its objects refer to is in it or among `boundary`.
 */
export interface ClosedPack {
  readonly pack: PackFile;
  readonly tips: readonly Oid[];
  readonly boundary: readonly Oid[];
}

/** More packs than this are not looked at: upkeep keeps them few, and each lookup asks them all. */
const MOST_PACKS = 64;

/**
 * The packs whose every object is reachable from `roots`, largest first, found without walking history: a tip is
 * reachable when it is a root, when a reachable pack's objects refer to it, or when it lies in a reachable pack.
 */
export function reachablePacks(closed: readonly ClosedPack[], roots: Iterable<Oid>): ClosedPack[] {
  const reached = new Set(roots);
  let left = closed.toSorted((a, b) => b.pack.index.objectCount - a.pack.index.objectCount).slice(0, MOST_PACKS);
  const found: ClosedPack[] = [];
  const isReached = (oid: Oid) => reached.has(oid) || found.some(({ pack }) => pack.index.row(oid) >= 0);
  for (let before = -1; found.length !== before; ) {
    before = found.length;
    const next: ClosedPack[] = [];
    for (const candidate of left) {
      if (!candidate.tips.every(isReached)) {
        next.push(candidate);
        continue;
      }
      found.push(candidate);
      for (const oid of candidate.boundary) reached.add(oid);
    }
    left = next;
  }
  return found.sort((a, b) => b.pack.index.objectCount - a.pack.index.objectCount);
}

/** The packs whose record says that they are exact. */
export function closedPacks(repoDir: string, store: ObjectStore): ClosedPack[] {
  const found: ClosedPack[] = [];
  for (const pack of store.packs()) {
    const closure = readClosure(repoDir, pack.name.replace(/^pack-/, ""));
    if (closure?.exact) found.push({ pack, tips: closure.tips, boundary: closure.boundary });
  }
  return found;
}
