import type { Oid } from "../objects/types.ts";
import { replacedPacks } from "../odb/replaced.ts";
import type { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { readClosure } from "../receive/closure.ts";
import type { LooseLinks } from "./loose-links.ts";

/**
 * A stored pack with the closure recorded when it was admitted: every object in it is reachable from `tips`, and
 * everything its objects refer to is in the pack or in `boundary`.
 */
export interface ClosedPack {
  readonly pack: PackFile;
  readonly tips: readonly Oid[];
  readonly boundary: readonly Oid[];
}

/** Maximum number of packs examined: maintenance keeps them few, and each lookup searches them all. */
const MAX_PACKS = 64;

/**
 * The packs all of whose objects are reachable from `roots`, largest first, found without walking history: a tip is
 * reachable if it is a root, if objects of a reachable pack or reachable loose objects refer to it, or if it is in a
 * reachable pack.
 */
export function reachablePacks(
  closed: readonly ClosedPack[],
  roots: Iterable<Oid>,
  loose: LooseLinks,
  maxPacks = MAX_PACKS,
): ClosedPack[] {
  const left = closed.toSorted((a, b) => b.pack.index.objectCount - a.pack.index.objectCount).slice(0, maxPacks);
  const found: ClosedPack[] = [];
  const open = new Map(left.map((one) => [one, one.tips.length]));
  const waiting = new Map<Oid, ClosedPack[]>();
  const next = left.filter((one) => one.tips.length === 0);
  for (const one of left) {
    for (const tip of one.tips) {
      const others = waiting.get(tip);
      if (others) others.push(one);
      else waiting.set(tip, [one]);
    }
  }
  const reach = (oid: Oid) => {
    for (const one of waiting.get(oid) ?? []) {
      const missing = open.get(one)! - 1;
      open.set(one, missing);
      if (missing === 0) next.push(one);
    }
    waiting.delete(oid);
  };
  const reachAll = (oids: Iterable<Oid>) => {
    for (const oid of oids) {
      reach(oid);
      for (const below of loose.below(oid)) reach(below);
    }
  };
  reachAll(roots);
  for (let one = next.pop(); one !== undefined; one = next.pop()) {
    found.push(one);
    reachAll(one.boundary);
    for (const oid of waiting.keys()) if (one.pack.index.row(oid) >= 0) reach(oid);
  }
  return found.sort((a, b) => b.pack.index.objectCount - a.pack.index.objectCount);
}

/** The packs whose closure record is exact, except those replaced by newer ones. */
export function closedPacks(repoDir: string, store: ObjectStore): ClosedPack[] {
  const found: ClosedPack[] = [];
  const replaced = replacedPacks(repoDir);
  for (const pack of store.packs()) {
    if (replaced.has(pack.name)) continue;
    const closure = readClosure(repoDir, pack.name.replace(/^pack-/, ""));
    if (closure?.exact) found.push({ pack, tips: closure.tips, boundary: closure.boundary });
  }
  return found;
}
