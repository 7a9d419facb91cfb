import type { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import type { PackFile } from "../packs/pack-file.ts";
import { Catalog } from "./catalog.ts";
import { type ClosedPack, reachablePacks } from "./closures.ts";
import type { ObjectFilter } from "./filter.ts";
import { LooseLinks } from "./loose-links.ts";
import { type CommitRange, commitsBetween, commitsBetweenCuts, walk } from "./range.ts";
import { Selection } from "./selection.ts";
import { findCommit, tipsOf } from "./tips.ts";
import { markTreesUninteresting } from "./uninteresting-trees.ts";
import type { PackContents } from "./writer.ts";

/** The requested contents of a pack. */
export interface PackRequest {
  /** Objects to send, with everything reachable from them. */
  readonly wants: readonly Oid[];
  /** Objects the client has: ids that exist here, of any type. */
  readonly haves: readonly Oid[];
  readonly filter: ObjectFilter | undefined;
  /** Set when the client's history is shallow, or is to become so. */
  readonly cuts: Cuts | undefined;
  /** Annotated tags to add if their final target is sent. */
  readonly followTags: readonly { readonly oid: Oid; readonly peeled: Oid }[];
  /** Whether whole stored packs may be copied: the client must understand every entry in them. */
  readonly mayCopyPacks: boolean;
}

export interface Cuts {
  readonly oldCut: ReadonlySet<number>;
  readonly newCut: ReadonlySet<number>;
  readonly alsoWanted: readonly number[];
  readonly alsoHad: readonly number[];
}

export interface PackPlan {
  readonly catalog: Catalog;
  readonly contents: PackContents;
}

export interface PlanContext {
  readonly store: ObjectStore;
  readonly commits: Commits;
  readonly closed: readonly ClosedPack[];
  /** Called periodically with the number of objects found so far. */
  readonly onProgress?: (objects: number) => void;
}

/**
 * Decides which objects to send, and how. A full clone is planned from the closure records: packs all of whose objects
 * are wanted are copied, and only objects outside them are found by walking.
 * @throws CorruptObject when a wanted object is missing
 */
export function planPack(context: PlanContext, request: PackRequest): PackPlan {
  const isClone = request.haves.length === 0 && !request.filter && !request.cuts;
  return isClone && request.mayCopyPacks ? planClone(context, request) : planFetch(context, request);
}

function planClone(context: PlanContext, request: PackRequest): PackPlan {
  const reachable = reachablePacks(context.closed, request.wants, new LooseLinks(context.store));
  const { whole, partial } = withoutRepeats(reachable);
  const outside = selectOutside(context, request, [...whole, ...partial.map(({ closed }) => closed)]);
  const { catalog, selection, isCovered } = outside;
  const bulk = partial.map(({ rows }, at) => {
    const start = catalog.firstOf(whole.length + at);
    return rows.map((row) => start + row);
  });
  return {
    catalog,
    contents: {
      copied: whole.map(({ pack }) => pack),
      groups: [...bulk, ...groupsOf(selection)],
      isSent: (number) => isCovered(number) || selection.has(number),
      isUninteresting: () => false,
    },
  };
}

export interface LinkPlan extends PackPlan {
  /** Packs all of whose objects are wanted. */
  readonly packs: readonly PackFile[];
}

/** As `planPack`, for a repository that takes whole packs as files: the contents are the other objects, thin. */
export function planLinks(context: PlanContext, wants: readonly Oid[]): LinkPlan {
  const request = {
    wants,
    haves: [],
    filter: undefined,
    cuts: undefined,
    followTags: [],
    mayCopyPacks: true,
  };
  const reachable = reachablePacks(context.closed, wants, new LooseLinks(context.store), Number.POSITIVE_INFINITY);
  const { catalog, selection, isCovered } = selectOutside(context, request, reachable);
  return {
    packs: reachable.map(({ pack }) => pack),
    catalog,
    contents: {
      copied: [],
      groups: groupsOf(selection),
      isSent: (number) => selection.has(number),
      isUninteresting: isCovered,
    },
  };
}

/** Selects wanted objects outside the packs that are wanted entirely. */
function selectOutside(context: PlanContext, request: PackRequest, reachable: readonly ClosedPack[]) {
  const { store, commits } = context;
  const first = reachable.map(({ pack }) => pack);
  const catalog = new Catalog(store, [...first, ...store.packs().filter((pack) => !first.includes(pack))]);
  const coveredBelow = catalog.firstOf(first.length);
  const isCovered = (number: number) => number < coveredBelow;
  const selection = new Selection(catalog, { isCovered, onProgress: context.onProgress });

  // Objects the packs refer to outside themselves are wanted as well.
  const roots = new Set(request.wants);
  for (const { boundary } of reachable) for (const oid of boundary) roots.add(oid);
  const commitRoots: number[] = [];
  for (const oid of roots) {
    const number = catalog.need(oid);
    if (isCovered(number)) continue;
    const commit = selection.addAskedFor(number);
    if (commit !== undefined) commitRoots.push(commits.positionOf(catalog.oidOf(commit)));
  }
  const seen = new Set<number>();
  const isOutside = (commit: number) => !isCovered(catalog.need(commits.oidOf(commit)));
  walk(commitRoots.filter(isOutside), seen, (commit) => commits.parentsOf(commit).filter(isOutside));
  for (const commit of seen) addCommit(catalog, commits, selection, commit);
  followTags(catalog, selection, request, (number) => isCovered(number) || selection.has(number));
  return { catalog, selection, isCovered };
}

interface PartialPack {
  readonly closed: ClosedPack;
  /** Rows of objects that no earlier pack contains. */
  readonly rows: Uint32Array;
}

/**
 * A pack must not contain an object twice (`index-pack --strict` rejects it), so packs that repeat objects of a larger
 * one are sent entry by entry. Packs must be given largest first.
 */
function withoutRepeats(packs: readonly ClosedPack[]): { whole: ClosedPack[]; partial: PartialPack[] } {
  const whole: ClosedPack[] = [];
  const partial: PartialPack[] = [];
  const before: PackFile[] = [];
  for (const closed of packs) {
    const { index } = closed.pack;
    const rows = new Uint32Array(index.objectCount);
    let kept = 0;
    for (let row = 0; row < index.objectCount && before.length > 0; row++) {
      const oid = index.oidOf(row);
      if (!before.some((pack) => pack.index.row(oid) >= 0)) rows[kept++] = row;
    }
    if (before.length === 0 || kept === index.objectCount) whole.push(closed);
    else partial.push({ closed, rows: rows.subarray(0, kept) });
    before.push(closed.pack);
  }
  return { whole, partial };
}

function planFetch(context: PlanContext, request: PackRequest): PackPlan {
  const { store, commits } = context;
  // If the client has a pack's tips, it has the whole pack, unless its history is shallow or its clone partial.
  const isWhole = !request.filter && !request.cuts;
  const hadPacks = isWhole
    ? reachablePacks(context.closed, tipsOf(store, request.haves), new LooseLinks(store)).map(({ pack }) => pack)
    : [];
  const catalog = new Catalog(store, [...hadPacks, ...store.packs().filter((pack) => !hadPacks.includes(pack))]);
  const selection = new Selection(catalog, {
    filter: request.filter,
    uninterestingBelow: catalog.firstOf(hadPacks.length),
    onProgress: context.onProgress,
  });

  const haves: number[] = [...(request.cuts?.alsoHad ?? [])];
  for (const oid of request.haves) {
    const number = catalog.find(oid);
    if (number < 0) continue;
    selection.markUninteresting(number);
    const commit = findCommit(store, commits, oid);
    if (typeof commit === "number") haves.push(commit);
  }
  const asked: Oid[] = [];
  const askedCommits: number[] = [];
  const wants: number[] = [...(request.cuts?.alsoWanted ?? [])];
  for (const oid of request.wants) {
    const number = catalog.need(oid);
    if (catalog.header(number).type !== "commit") asked.push(oid);
    else {
      wants.push(commits.positionOf(oid));
      askedCommits.push(number);
    }
  }
  // Tags before the walk, as they may lead to commits; trees and blobs after it, when the client's objects are marked.
  const later: number[] = [];
  for (const oid of asked) {
    const number = catalog.need(oid);
    if (catalog.header(number).type !== "tag") later.push(number);
    else {
      const commit = selection.addAskedFor(number);
      if (commit === undefined) continue;
      wants.push(commits.positionOf(catalog.oidOf(commit)));
      askedCommits.push(commit);
    }
  }
  const range = rangeOf(commits, request, wants, haves);
  const preferredBases = new Map<number, number>();
  const onPreferredBase = (lacked: number, base: number) => {
    if (!preferredBases.has(lacked)) preferredBases.set(lacked, base);
  };
  const isShort = isWhole && range.commits.length <= SHORT_RANGE;
  markCommitsUninteresting(catalog, commits, selection, range, isShort ? onPreferredBase : undefined);
  for (const commit of range.commits) addCommit(catalog, commits, selection, commit);
  for (const number of askedCommits) if (!selection.isUninteresting(number)) selection.addCommit(number, true);
  for (const number of later) selection.addAskedFor(number);
  followTags(catalog, selection, request, (number) => selection.has(number));
  return {
    catalog,
    contents: {
      copied: [],
      groups: groupsOf(selection),
      isSent: (number) => selection.has(number),
      isUninteresting: (number) => selection.isUninteresting(number),
      preferredBases,
    },
  };
}

/** For more commits than this no new deltas are created, as that would take longer than sending objects whole. */
const SHORT_RANGE = 2_000;

function rangeOf(commits: Commits, request: PackRequest, wants: number[], haves: number[]): CommitRange {
  const { cuts } = request;
  return cuts
    ? commitsBetweenCuts(commits, { wants, haves, newCut: cuts.newCut, oldCut: cuts.oldCut })
    : commitsBetween(commits, wants, haves);
}

function markCommitsUninteresting(
  catalog: Catalog,
  commits: Commits,
  selection: Selection,
  range: CommitRange,
  onPreferredBase: ((lacked: number, base: number) => void) | undefined,
): void {
  if (range.boundary.length === 0) return;
  const treeOf = (commit: number) => catalog.need(commits.treeOf(commit));
  for (const commit of range.boundary) selection.markUninteresting(catalog.need(commits.oidOf(commit)));
  markTreesUninteresting(catalog, selection, range.commits.map(treeOf), range.boundary.map(treeOf), onPreferredBase);
}

function addCommit(catalog: Catalog, commits: Commits, selection: Selection, commit: number): void {
  selection.addCommit(catalog.need(commits.oidOf(commit)));
  selection.addTree(catalog.need(commits.treeOf(commit)));
}

function followTags(
  catalog: Catalog,
  selection: Selection,
  request: PackRequest,
  isSent: (number: number) => boolean,
): void {
  for (const { oid, peeled } of request.followTags) {
    const target = catalog.find(peeled);
    const tag = catalog.find(oid);
    if (target >= 0 && tag >= 0 && isSent(target)) selection.addTagChain(tag);
  }
}

function groupsOf(selection: Selection): Uint32Array[] {
  return [selection.commits, selection.tags, selection.trees, selection.blobs].map((list) => list.values());
}
