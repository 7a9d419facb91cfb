import { contentOf } from "../../diff/content.ts";
import { BestCandidates, compareCandidates, isRegular, MAX_SCORE } from "../../diff/renames.ts";
import { type Fingerprint, Fingerprints, sharedBytes } from "../../diff/similarity.ts";
import { hashObject } from "../../objects/hash.ts";
import type { ObjectSource } from "../../objects/source.ts";
import type { Oid } from "../../objects/types.ts";
import { nameOf, type Side } from "../state.ts";
import type { Arrival, SideChanges, SidePair } from "./changes.ts";
import { type DirectoryCounts, DirectoryTally } from "./directory-counts.ts";

const MIN_SCORE = MAX_SCORE / 2;
/** Minimum similarity for a file that keeps its name, which then is not compared with all others. */
const MIN_SAME_NAME_SCORE = MIN_SCORE + Math.trunc(0.5 * (MAX_SCORE - MIN_SCORE));
/** git's default. */
const RENAME_LIMIT = 7000;
/** Maximum number of sources with equal content examined per file. */
const MAX_EQUAL = 101;
/** Limits on the content compared, per file and in total. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
/** Total pieces of content compared, a few seconds of work. */
const MAX_PIECES = 1_000_000_000;
/** The fixed cost of a comparison. */
const PIECES_PER_PAIR = 16;

export interface SideRenames {
  /** Files the side added, in walk order. */
  readonly arrivals: Arrival[];
  readonly directoryCounts: DirectoryCounts;
  /** The limit needed to detect inexact renames, if there were too many files; 0 if the limit sufficed. */
  readonly neededLimit: number;
}

/**
 * Finds the renames of one side that are relevant to the merge: by equal content first, then by equal name (also in
 * the directory most of its neighbours moved to), then by similarity. The rules and their order are git's.
 * @param options.limit inexact renames are detected only if sources times destinations is within its square
 * @throws CorruptObject when a blob is missing
 */
export function findSideRenames(
  store: ObjectSource,
  side: Side,
  changes: SideChanges,
  options: { readonly limit: number | undefined; readonly signal: AbortSignal | undefined },
): SideRenames {
  const search = new SideSearch(store, changes, options.limit ?? RENAME_LIMIT, options.signal);
  if (changes.pairs.length > 0 && changes.relevant.size > 0) search.run();
  const arrivals: Arrival[] = [];
  for (const pair of changes.pairs) {
    if (!pair.added) continue;
    const source = search.sourceOf.get(pair);
    arrivals.push({ path: pair.path, from: source?.path ?? pair.path, renamed: source !== undefined, side });
  }
  return { arrivals, directoryCounts: search.tally.finished(), neededLimit: search.neededLimit };
}

interface Candidate {
  readonly target: SidePair;
  readonly source: SidePair;
  readonly score: number;
  readonly sameName: boolean;
}

class SideSearch {
  readonly sourceOf = new Map<SidePair, SidePair>();
  readonly tally: DirectoryTally;
  neededLimit = 0;
  private readonly used = new Set<SidePair>();
  private sources: SidePair[];
  private readonly targets: SidePair[];
  private readonly cached = new Map<Oid, Fingerprint | undefined>();
  private readonly sizes = new Map<Oid, number>();
  private readonly fingerprints = new Fingerprints();
  private bytesRead = 0;
  private piecesLeft = MAX_PIECES;

  constructor(
    private readonly store: ObjectSource,
    private readonly changes: SideChanges,
    private readonly limit: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.tally = new DirectoryTally(changes.removedDirectories);
    const empty = hashObject(store.format, "blob", new Uint8Array(0));
    const filled = changes.pairs.filter(({ version }) => version.oid !== empty);
    this.targets = filled.filter(({ added }) => added);
    this.sources = filled.filter(({ added }) => !added);
  }

  run(): void {
    const { changes, tally } = this;
    if (this.targets.length === 0 || this.sources.length === 0) return;
    this.pairExact();
    this.keepSources((source) => changes.relevant.has(source.path));
    for (const target of this.targets) {
      const source = this.sourceOf.get(target);
      if (source) tally.add(source.path, target.path);
    }
    this.pairByName(tally.guesses());
    this.keepSources(() => true);
    this.dropSettled();
    this.pairSimilar();
  }

  private pairExact(): void {
    const byContent = new Map<Oid, SidePair[]>();
    for (const source of this.sources) {
      const alike = byContent.get(source.version.oid);
      if (alike) alike.push(source);
      else byContent.set(source.version.oid, [source]);
    }
    for (const target of this.targets) {
      const best = this.bestEqual(target, byContent.get(target.version.oid) ?? []);
      if (best) this.pair(best, target);
    }
  }

  /** Of the unused sources with equal content, the first with the same name, else the first. */
  private bestEqual(target: SidePair, sources: readonly SidePair[]): SidePair | undefined {
    let first: SidePair | undefined;
    let left = MAX_EQUAL;
    const { mode } = target.version;
    for (const source of sources) {
      const alike = (isRegular(source.version.mode) && isRegular(mode)) || source.version.mode === mode;
      if (!alike || this.used.has(source)) continue;
      if (nameOf(source.path) === nameOf(target.path)) return source;
      first ??= source;
      if (--left === 0) break;
    }
    return first;
  }

  private pairByName(guesses: ReadonlyMap<string, string>): void {
    const open = this.targets.filter((target) => !this.sourceOf.has(target));
    const targets = byUniqueName(open);
    const sources = byUniqueName(this.sources);
    const byPath = new Map(open.map((target) => [target.path, target]));
    for (const source of this.sources) {
      const name = nameOf(source.path);
      if (!targets.has(name)) continue;
      let target = targets.get(name);
      if (!target || !sources.get(name)) {
        const guess = this.tally.guess(source.path, guesses);
        target = guess === undefined ? undefined : byPath.get(guess);
      }
      if (!target || this.sourceOf.has(target)) continue;
      if (this.score(source, target, MIN_SAME_NAME_SCORE) < MIN_SAME_NAME_SCORE) continue;
      this.pair(source, target);
      this.tally.add(source.path, target.path);
    }
  }

  /** Sources that only show where a directory went need not be followed once that is settled. */
  private dropSettled(): void {
    const { relevant, removedDirectories } = this.changes;
    for (const source of this.sources) this.tally.addUnknown(source.path);
    this.tally.settle();
    this.keepSources((source) => {
      if (relevant.get(source.path) !== "location") return true;
      for (let path = source.path; path !== ""; ) {
        path = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
        const relevance = removedDirectories.get(path) ?? "none";
        if (relevance === "self") return true;
        if (relevance === "none") break;
      }
      relevant.set(source.path, "settled");
      return false;
    });
  }

  private pairSimilar(): void {
    const targets = this.targets.filter((target) => !this.sourceOf.has(target));
    const { sources } = this;
    if (targets.length * sources.length > this.limit * this.limit) {
      this.neededLimit = Math.max(targets.length, sources.length);
      return;
    }
    const found: Candidate[] = [];
    for (const target of targets) {
      this.signal?.throwIfAborted();
      const best = new BestCandidates<Candidate>();
      for (const source of sources) {
        const score = this.score(source, target, MIN_SCORE);
        if (score === 0 && best.isFull) continue;
        best.offer({ target, source, score, sameName: nameOf(source.path) === nameOf(target.path) });
      }
      found.push(...best.inOrderOfSlots());
    }
    found.sort(compareCandidates);
    for (const { target, source, score } of found) {
      if (score < MIN_SCORE) break;
      if (this.sourceOf.has(target) || this.used.has(source)) continue;
      this.pair(source, target);
      this.tally.add(source.path, target.path);
    }
  }

  private keepSources(wanted: (source: SidePair) => boolean): void {
    this.sources = this.sources.filter((source) => !this.used.has(source) && wanted(source));
  }

  private pair(source: SidePair, target: SidePair): void {
    this.sourceOf.set(target, source);
    this.used.add(source);
  }

  /** Shared share of the larger file, out of 60,000; 0 when the sizes alone rule out `min`. */
  private score(source: SidePair, target: SidePair, min: number): number {
    if (!isRegular(source.version.mode) || !isRegular(target.version.mode)) return 0;
    this.piecesLeft -= PIECES_PER_PAIR;
    const oldSize = this.sizeOf(source.version.oid);
    const newSize = this.sizeOf(target.version.oid);
    const larger = Math.max(oldSize, newSize);
    const smaller = Math.min(oldSize, newSize);
    if (larger * (MAX_SCORE - min) < (larger - smaller) * MAX_SCORE) return 0;
    if (newSize === 0 || this.piecesLeft < 0) return 0;
    const a = this.fingerprintOf(source);
    const b = this.fingerprintOf(target);
    if (!a || !b) return 0;
    this.piecesLeft -= a.hashes.length + b.hashes.length;
    return Math.floor((sharedBytes(a, b) * MAX_SCORE) / larger);
  }

  private sizeOf(oid: Oid): number {
    let size = this.sizes.get(oid);
    if (size === undefined) {
      size = this.store.header(oid)?.sizeBytes ?? 0;
      this.sizes.set(oid, size);
    }
    return size;
  }

  private fingerprintOf({ version: { mode, oid } }: SidePair): Fingerprint | undefined {
    if (this.cached.has(oid)) return this.cached.get(oid);
    const data = contentOf(this.store, mode, oid, Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - this.bytesRead));
    const result = data === "too-large" ? undefined : this.fingerprints.of(data);
    this.bytesRead += this.sizeOf(oid);
    this.cached.set(oid, result);
    return result;
  }
}

/** By file name without directories; undefined for a name that is not unique. */
function byUniqueName(pairs: readonly SidePair[]): Map<string, SidePair | undefined> {
  const found = new Map<string, SidePair | undefined>();
  for (const pair of pairs) {
    const name = nameOf(pair.path);
    found.set(name, found.has(name) ? undefined : pair);
  }
  return found;
}
