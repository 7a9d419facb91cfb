import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { type ClosedPack, closedPacks, reachablePacks } from "../pack-objects/closures.ts";
import { LooseLinks } from "../pack-objects/loose-links.ts";
import { tipsOf } from "../pack-objects/tips.ts";
import type { PackFile } from "../packs/pack-file.ts";

/** Packs in which nothing is to be done: refs lead to all of them, and those of a clone are apart from the others. */
export interface StablePacks {
  readonly packs: readonly PackFile[];
  /** What those that a clone takes refer to outside themselves, and what the others do. */
  readonly pointedTo: ReadonlySet<Oid>;
  readonly pointedToApart: ReadonlySet<Oid>;
}

/**
 * Finds them by the closure records alone: what it costs follows the number of packs, not their size.
 * @param roots where the refs point that a clone asks for, and @param apartRoots all others
 */
export function findStablePacks(
  repoDir: string,
  store: ObjectStore,
  roots: readonly Oid[],
  apartRoots: readonly Oid[],
): StablePacks {
  const { cloned, apart } = reachableGroups(repoDir, store, roots, apartRoots);
  const pointedTo = boundariesOf(cloned, tipsOf(store, roots));
  // A pack that is apart and holds what a clone takes has to be divided, and so has what it refers to in others.
  let left = apart;
  for (let size = -1; left.length !== size; ) {
    size = left.length;
    const isMixed = ({ pack }: ClosedPack) =>
      [...pointedTo].some((oid) => pack.index.row(oid) >= 0 && !isIn(cloned, oid));
    for (const { boundary } of left.filter(isMixed)) for (const oid of boundary) pointedTo.add(oid);
    left = left.filter((closed) => !isMixed(closed));
  }
  return {
    packs: [...cloned, ...left].map(({ pack }) => pack),
    pointedTo: boundariesOf(cloned),
    pointedToApart: boundariesOf(left),
  };
}

/** Packs of which the roots reach every object, and the others of which all roots together do. */
export function reachableGroups(
  repoDir: string,
  store: ObjectStore,
  roots: readonly Oid[],
  apartRoots: readonly Oid[],
): { readonly cloned: readonly ClosedPack[]; readonly apart: readonly ClosedPack[] } {
  const closed = closedPacks(repoDir, store);
  const loose = new LooseLinks(store);
  const all = Number.POSITIVE_INFINITY;
  const cloned = reachablePacks(closed, tipsOf(store, roots), loose, all);
  if (apartRoots.length === 0) return { cloned, apart: [] };
  const names = new Set(cloned.map(({ pack }) => pack.name));
  const every = reachablePacks(closed, tipsOf(store, [...roots, ...apartRoots]), loose, all);
  return { cloned, apart: every.filter(({ pack }) => !names.has(pack.name)) };
}

function boundariesOf(packs: readonly ClosedPack[], first: Iterable<Oid> = []): Set<Oid> {
  const found = new Set(first);
  for (const { boundary } of packs) for (const oid of boundary) found.add(oid);
  return found;
}

function isIn(packs: readonly ClosedPack[], oid: Oid): boolean {
  return packs.some(({ pack }) => pack.index.row(oid) >= 0);
}
