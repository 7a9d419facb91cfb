import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { type ClosedPack, closedPacks, reachablePacks } from "../pack-objects/closures.ts";
import { LooseLinks } from "../pack-objects/loose-links.ts";
import { tipsOf } from "../pack-objects/tips.ts";
import type { PackFile } from "../packs/pack-file.ts";

/** Packs that need no work: refs reach all their objects, and each group's objects are separate from the others'. */
export interface StablePacks {
  readonly packs: readonly PackFile[];
  /** By group: objects outside its packs that they refer to. */
  readonly pointedTo: readonly ReadonlySet<Oid>[];
}

/**
 * Finds stable packs from the closure records alone: the cost depends on the number of packs, not their size.
 * @param groups targets of refs, those most clones request first; an object belongs to the first group that reaches it
 */
export function findStablePacks(repoDir: string, store: ObjectStore, groups: readonly (readonly Oid[])[]): StablePacks {
  const reachable = reachableGroups(repoDir, store, groups);
  const stable: ClosedPack[][] = [];
  let later = reachable.flat();
  reachable.forEach((group, at) => {
    const own = group.filter((closed) => later.includes(closed));
    stable.push(own);
    const before = stable.flat();
    later = withoutShared(
      later.filter((closed) => !own.includes(closed)),
      boundariesOf(before, tipsOf(store, groups.slice(0, at + 1).flat())),
      (oid) => before.some(({ pack }) => pack.index.row(oid) >= 0),
    );
  });
  return {
    packs: stable.flat().map(({ pack }) => pack),
    pointedTo: stable.map((group) => boundariesOf(group)),
  };
}

/** Excludes a later group's packs with objects an earlier one reaches: they, and packs they refer to, must be split. */
function withoutShared(
  packs: readonly ClosedPack[],
  pointedTo: Set<Oid>,
  isThere: (oid: Oid) => boolean,
): ClosedPack[] {
  let left = [...packs];
  for (let size = -1; left.length !== size; ) {
    size = left.length;
    const open = [...pointedTo].filter((oid) => !isThere(oid));
    const isShared = ({ pack }: ClosedPack) => open.some((oid) => pack.index.row(oid) >= 0);
    for (const { boundary } of left.filter(isShared)) for (const oid of boundary) pointedTo.add(oid);
    left = left.filter((closed) => !isShared(closed));
  }
  return left;
}

/** By group: the packs all of whose objects are reachable from the groups up to this one, but not from fewer. */
export function reachableGroups(
  repoDir: string,
  store: ObjectStore,
  groups: readonly (readonly Oid[])[],
): ClosedPack[][] {
  const closed = closedPacks(repoDir, store);
  const loose = new LooseLinks(store);
  const met = new Set<string>();
  return groups.map((roots, at) => {
    if (at > 0 && roots.length === 0) return [];
    const tips = tipsOf(store, groups.slice(0, at + 1).flat());
    const group = reachablePacks(closed, tips, loose, Number.POSITIVE_INFINITY).filter(
      ({ pack }) => !met.has(pack.name),
    );
    for (const { pack } of group) met.add(pack.name);
    return group;
  });
}

function boundariesOf(packs: readonly ClosedPack[], first: Iterable<Oid> = []): Set<Oid> {
  const found = new Set(first);
  for (const { boundary } of packs) for (const oid of boundary) found.add(oid);
  return found;
}
