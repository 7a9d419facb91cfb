import type { ObjectSource } from "../objects/source.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { contentOf } from "./content.ts";
import { type Fingerprint, Fingerprints, sharedBytes } from "./similarity.ts";
import type { RawChange } from "./tree.ts";

export interface RenameOptions {
  /** Minimum percentage of content kept; 50 by default, as in `git diff -M`. May be fractional. */
  readonly minSimilarity?: number | undefined;
  /** Whether files changed in place can be sources too, as in `git diff -C`. */
  readonly copies?: boolean | undefined;
  /** With `copies`: whether unchanged files can be sources as well. */
  readonly copiesHarder?: boolean | undefined;
  /** Edited renames need sources times destinations to be at most this squared; 1,000 by default, 0 for no limit. */
  readonly renameLimit?: number | undefined;
  /** Called when there are too many files for `renameLimit`. */
  readonly onLimit?: ((limit: RenameLimit) => void) | undefined;
}

export interface RenameLimit {
  /** The smallest limit that would suffice. */
  readonly needed: number;
  /**
   * Whether only unchanged files were skipped as sources of copies; otherwise edited renames were not detected at all.
   */
  readonly onlyUnchanged: boolean;
}

export interface RenamePair {
  readonly from: RawChange;
  /** Out of 60,000, git's scale. */
  readonly score: number;
}

/** The score of identical contents. */
export const MAX_SCORE = 60_000;
const DEFAULT_LIMIT = 1000;
/** Number of best sources remembered for each target. */
const MAX_CANDIDATES = 4;
/** Maximum identical sources examined for one target. */
const MAX_EQUAL = 101;

/** Content beyond these sizes, per file and in total, is not compared. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
/** Maximum content pieces compared in total: a few seconds of work. */
const MAX_PIECES = 1_000_000_000;

/**
 * Pairs added files with deleted ones of the same or similar content: first identical contents, then equal names in
 * another directory, then the most similar. The rules and their order are git's.
 * @param changes differing files, in path order; with `copiesHarder` also unchanged ones
 * @returns the source of each added path that has one
 * @throws CorruptObject when a blob is missing
 */
export function findRenames(
  store: ObjectSource,
  changes: readonly RawChange[],
  options: RenameOptions = {},
): Map<RawChange, RenamePair> {
  const search = new RenameSearch(store, changes, options);
  if (search.isIdle) return search.pairs;
  search.pairExact();
  search.pairBasenames();
  search.pairSimilar();
  return search.pairs;
}

/** How well two files match. */
export interface Ranked {
  readonly score: number;
  readonly sameName: boolean;
}

interface Candidate extends Ranked {
  readonly target: RawChange;
  readonly source: RawChange;
}

class RenameSearch {
  readonly pairs = new Map<RawChange, RenamePair>();
  private readonly targets: RawChange[];
  private sources: RawChange[];
  private readonly used = new Set<RawChange>();
  private readonly cached = new Map<string, Fingerprint | undefined>();
  private readonly fingerprints = new Fingerprints();
  private readonly minScore: number;
  private readonly copies: boolean;
  private bytesRead = 0;
  private piecesLeft = MAX_PIECES;

  constructor(
    private readonly store: ObjectSource,
    changes: readonly RawChange[],
    private readonly options: RenameOptions,
  ) {
    this.minScore = Math.round((options.minSimilarity ?? 50) * (MAX_SCORE / 100));
    this.copies = options.copies ?? false;
    this.targets = changes.filter((change) => change.oldMode === 0);
    this.sources = changes.filter((change) => change.oldMode !== 0 && (change.newMode === 0 || this.copies));
    // A file that still exists counts as used.
    for (const source of this.sources) if (source.newMode !== 0) this.used.add(source);
  }

  get isIdle(): boolean {
    return this.targets.length === 0 || this.sources.length === 0;
  }

  pairExact(): void {
    const byContent = new Map<string, RawChange[]>();
    for (const source of this.sources) {
      const alike = byContent.get(source.oldOid!);
      if (alike) alike.push(source);
      else byContent.set(source.oldOid!, [source]);
    }
    for (const target of this.targets) {
      const best = this.bestEqual(target, byContent.get(target.newOid!) ?? []);
      if (best) this.pair(target, best, MAX_SCORE);
    }
  }

  /** Of the identical sources, preferably one without a target yet and with the same name. */
  private bestEqual(target: RawChange, sources: readonly RawChange[]): RawChange | undefined {
    let best: RawChange | undefined;
    let bestRank = -1;
    let left = MAX_EQUAL;
    for (const source of sources) {
      const regular = isRegular(source.oldMode) && isRegular(target.newMode);
      if (!regular && source.oldMode !== target.newMode) continue;
      const used = this.used.has(source);
      if (used && !this.copies) continue;
      const rank = (used ? 0 : 1) + (basename(source.path) === basename(target.path) ? 1 : 0);
      if (rank > bestRank) {
        best = source;
        bestRank = rank;
        if (rank === 2) break;
      }
      if (--left === 0) break;
    }
    return best;
  }

  /** A file whose name is unique among the candidates has most likely moved: one comparison instead of many. */
  pairBasenames(): void {
    if (this.minScore >= MAX_SCORE || this.copies) return;
    this.dropUsedSources();
    const min = this.minScore + Math.trunc(0.5 * (MAX_SCORE - this.minScore));
    const targets = uniqueByBasename(this.openTargets());
    const sources = uniqueByBasename(this.sources);
    for (const source of this.sources) {
      const name = basename(source.path);
      const target = targets.get(name);
      if (!target || sources.get(name) !== source) continue;
      const score = this.score(source, target);
      if (score >= min) this.pair(target, source, score);
    }
    this.dropUsedSources();
  }

  pairSimilar(): void {
    const targets = this.openTargets();
    if (this.minScore >= MAX_SCORE || targets.length === 0 || this.sources.length === 0) return;
    const sources = this.comparableSources(targets.length);
    if (sources.length === 0) return;
    const found: Candidate[] = [];
    for (const target of targets) {
      const best = new BestCandidates<Candidate>();
      for (const source of sources) {
        const score = this.score(source, target);
        best.offer({ target, source, score, sameName: basename(source.path) === basename(target.path) });
      }
      found.push(...best.inOrderOfSlots());
    }
    found.sort(compareCandidates);
    // Unused sources are assigned first; copies may then reuse any.
    for (const reuse of this.copies ? [false, true] : [false]) {
      for (const { target, source, score } of found) {
        if (score < this.minScore) break;
        if (!this.pairs.has(target) && (reuse || !this.used.has(source))) this.pair(target, source, score);
      }
    }
  }

  /** None if there are too many; without the unchanged ones if that is enough to stay within the limit. */
  private comparableSources(targets: number): readonly RawChange[] {
    const limit = this.options.renameLimit ?? DEFAULT_LIMIT;
    const fits = (sources: number) => limit <= 0 || targets * sources <= limit * limit;
    if (fits(this.sources.length)) return this.sources;
    const changed = this.options.copiesHarder
      ? this.sources.filter(({ oldMode, newMode, oldOid, newOid }) => oldMode !== newMode || oldOid !== newOid)
      : this.sources;
    const onlyUnchanged = fits(changed.length);
    this.options.onLimit?.({ needed: Math.max(targets, this.sources.length), onlyUnchanged });
    return onlyUnchanged ? changed : [];
  }

  private openTargets(): RawChange[] {
    return this.targets.filter((target) => !this.pairs.has(target));
  }

  private dropUsedSources(): void {
    this.sources = this.sources.filter((source) => !this.used.has(source));
  }

  private pair(target: RawChange, source: RawChange, score: number): void {
    this.pairs.set(target, { from: source, score });
    this.used.add(source);
  }

  /** The shared fraction of the larger file, out of 60,000; 0 if the sizes alone rule out a match. */
  private score(source: RawChange, target: RawChange): number {
    if (!isRegular(source.oldMode) || !isRegular(target.newMode)) return 0;
    const oldSize = this.sizeOf(source.oldOid!);
    const newSize = this.sizeOf(target.newOid!);
    const larger = Math.max(oldSize, newSize);
    const smaller = Math.min(oldSize, newSize);
    if (larger * (MAX_SCORE - this.minScore) < (larger - smaller) * MAX_SCORE) return 0;
    if (newSize === 0 || this.piecesLeft < 0) return 0;
    const a = this.fingerprintOf(source.oldMode, source.oldOid!);
    const b = this.fingerprintOf(target.newMode, target.newOid!);
    if (!a || !b) return 0;
    this.piecesLeft -= a.hashes.length + b.hashes.length;
    return Math.floor((sharedBytes(a, b) * MAX_SCORE) / larger);
  }

  private readonly sizes = new Map<string, number>();

  private sizeOf(oid: string): number {
    let size = this.sizes.get(oid);
    if (size === undefined) {
      size = this.store.header(oid)?.sizeBytes ?? 0;
      this.sizes.set(oid, size);
    }
    return size;
  }

  private fingerprintOf(mode: number, oid: string): Fingerprint | undefined {
    if (this.cached.has(oid)) return this.cached.get(oid);
    const left = Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - this.bytesRead);
    const data = contentOf(this.store, mode, oid, left);
    const result = data === "too-large" ? undefined : this.fingerprints.of(data);
    this.bytesRead += this.sizeOf(oid);
    this.cached.set(oid, result);
    return result;
  }
}

/** Keeps the best few, on ties the first. A new one replaces the first of the worst. */
export class BestCandidates<T extends Ranked> {
  private readonly slots: T[] = [];

  offer(candidate: T): void {
    if (this.slots.length < MAX_CANDIDATES) {
      this.slots.push(candidate);
      return;
    }
    let worst = 0;
    for (let i = 1; i < this.slots.length; i++)
      if (compareCandidates(this.slots[i]!, this.slots[worst]!) > 0) worst = i;
    if (compareCandidates(this.slots[worst]!, candidate) > 0) this.slots[worst] = candidate;
  }

  /** Once full, a candidate that would not be accepted need not be offered: it does not affect the order. */
  get isFull(): boolean {
    return this.slots.length === MAX_CANDIDATES;
  }

  inOrderOfSlots(): readonly T[] {
    return this.slots;
  }
}

/** Most similar first; on ties, the same name first. */
export function compareCandidates(a: Ranked, b: Ranked): number {
  return b.score - a.score || Number(b.sameName) - Number(a.sameName);
}

export function isRegular(mode: number): boolean {
  return (mode & MODE_KIND) === 0o100000;
}

function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function uniqueByBasename(changes: readonly RawChange[]): Map<string, RawChange> {
  const found = new Map<string, RawChange>();
  const twice = new Set<string>();
  for (const change of changes) {
    const name = basename(change.path);
    if (found.has(name)) twice.add(name);
    found.set(name, change);
  }
  for (const name of twice) found.delete(name);
  return found;
}
