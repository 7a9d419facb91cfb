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
 * What may be had: every object that a ref leads to and no other, so that what a forced push or a deleted branch took
 * away is not served any more, however well its id is known. Exact, in steps of growing cost, each taken only when
 * the one before leaves something open:
 *
 * 1. the tips of the refs, and what their tags point to;
 * 2. what lies in a pack of which every object is reachable, told by the closure records without any walk:
 *    nearly everything, and all that the lazy fetches of a partial clone ask for;
 * 3. commits: the history of the refs;
 * 4. trees, blobs and tags in the remaining packs: everything the refs lead to outside of the packs of step 2.
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

  /** Whether a ref leads to the object. False when there is no such object. */
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

  /** Packs of which a ref leads to every object. */
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

/** @throws ProtocolError naming the first want that no ref leads to */
export function checkWants(wants: readonly Oid[], reachable: Reachable): void {
  for (const oid of wants) if (!reachable.has(oid)) throw new ProtocolError(`upload-pack: not our ref ${oid}`);
}
