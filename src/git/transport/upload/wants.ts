import { ProtocolError } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";
import type { Oid } from "../../objects/types.ts";
import type { ObjectStore } from "../../odb/store.ts";
import { Catalog } from "../../pack-objects/catalog.ts";
import { type ClosedPack, reachablePacks } from "../../pack-objects/closures.ts";
import { LooseLinks } from "../../pack-objects/loose-links.ts";
import { walk } from "../../pack-objects/range.ts";
import { Selection } from "../../pack-objects/selection.ts";
import { findCommit } from "../../pack-objects/tips.ts";
import type { RefLines } from "../ref-lines.ts";

/**
 * The objects that may be served: those reachable from a ref and no others, so that objects removed by a forced push or
 * a deleted branch are no longer served, even to those who know their ids. Exact, in steps of increasing cost, each
 * taken only if the one before does not settle the question:
 *
 * 1. the tips of the refs, and the targets of their tags;
 * 2. objects in packs whose every object is reachable, known from the closure records without a walk:
 *    nearly everything, and all that the lazy fetches of a partial clone ask for;
 * 3. commits: the history of the refs;
 * 4. trees, blobs and tags in the remaining packs: everything reachable from the refs outside the packs of step 2.
 */
export class Reachable {
  private found: ReadonlySet<Oid> | undefined;
  private packs: readonly ClosedPack[] | undefined;
  private history: Set<number> | undefined;
  private rest: { readonly catalog: Catalog; readonly selection: Selection; readonly coveredBelow: number } | undefined;

  constructor(
    private readonly store: ObjectStore,
    private readonly commits: Commits,
    private readonly closed: readonly ClosedPack[],
    private readonly refs: RefLines,
  ) {}

  /** Whether the object is reachable from a ref. False if it does not exist. */
  has(oid: Oid): boolean {
    if (this.refs.names(oid)) return true;
    const packs = this.wholePacks();
    if (packs.some(({ pack }) => pack.index.row(oid) >= 0)) return true;
    const header = this.store.header(oid);
    if (!header) return false;
    if (header.type === "commit") return this.hasCommit(this.commits.positionOf(oid));
    this.rest ??= this.gatherRest(packs);
    const { catalog, selection, coveredBelow } = this.rest;
    const number = catalog.find(oid);
    return number >= 0 && (number < coveredBelow || selection.has(number));
  }

  /** Packs whose every object is reachable from a ref. */
  wholePacks(): readonly ClosedPack[] {
    this.packs ??= reachablePacks(this.closed, this.tips, new LooseLinks(this.store));
    return this.packs;
  }

  private get tips(): ReadonlySet<Oid> {
    this.found ??= new Set(this.refs.all().flatMap((ref) => (ref.peeled ? [ref.oid, ref.peeled] : [ref.oid])));
    return this.found;
  }

  hasCommit(commit: number): boolean {
    this.history ??= this.walkHistory();
    return this.history.has(commit);
  }

  private walkHistory(): Set<number> {
    const seen = new Set<number>();
    const starts: number[] = [];
    for (const tip of this.tips) {
      const commit = findCommit(this.store, this.commits, tip);
      if (commit !== undefined && commit !== null) starts.push(commit);
    }
    walk(starts, seen, (commit) => this.commits.parentsOf(commit));
    return seen;
  }

  private gatherRest(packs: readonly ClosedPack[]) {
    const first = packs.map(({ pack }) => pack);
    const catalog = new Catalog(this.store, [...first, ...this.store.packs().filter((pack) => !first.includes(pack))]);
    const coveredBelow = catalog.firstOf(first.length);
    const isCovered = (number: number) => number < coveredBelow;
    const selection = new Selection(catalog, { isCovered });
    const roots = new Set(this.tips);
    for (const { boundary } of packs) for (const oid of boundary) roots.add(oid);
    const starts: number[] = [];
    for (const oid of roots) {
      const commit = selection.addAskedFor(catalog.need(oid));
      if (commit !== undefined) starts.push(this.commits.positionOf(catalog.oidOf(commit)));
    }
    const seen = new Set<number>();
    const isOutside = (commit: number) => !isCovered(catalog.need(this.commits.oidOf(commit)));
    walk(starts.filter(isOutside), seen, (commit) => this.commits.parentsOf(commit).filter(isOutside));
    for (const commit of seen) selection.addTree(catalog.need(this.commits.treeOf(commit)));
    return { catalog, selection, coveredBelow };
  }
}

/** @throws ProtocolError naming the first want that no ref reaches */
export function checkWants(wants: readonly Oid[], reachable: Reachable): void {
  for (const oid of wants) if (!reachable.has(oid)) throw new ProtocolError(`upload-pack: not our ref ${oid}`);
}
