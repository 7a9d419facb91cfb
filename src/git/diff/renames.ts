import type { ObjectSource } from "../objects/source.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { contentOf } from "./content.ts";
import { type Fingerprint, Fingerprints, sharedBytes } from "./similarity.ts";
import type { RawChange } from "./tree.ts";

export interface RenameOptions {
  /** Least percent of content that must have stayed; 50 by default, as `git diff -M`. May have a fraction. */
  readonly minSimilarity?: number | undefined;
  /** Also take files that were changed in place as sources, as `git diff -C`. */
  readonly copies?: boolean | undefined;
  /** With `copies`: also files that were not changed at all. */
  readonly copiesHarder?: boolean | undefined;
  /** Edited renames are looked for only while sources times destinations stay within the square of this; 1,000 by default, 0: always. */
  readonly renameLimit?: number | undefined;
  /** Told when files were too many for `renameLimit`. */
  readonly onLimit?: ((limit: RenameLimit) => void) | undefined;
}

export interface RenameLimit {
  /** The least limit that would do. */
  readonly needed: number;
  /** Only files that were not changed were passed over as sources of copies; otherwise no edited file found its source. */
  readonly onlyUnchanged: boolean;
}

export interface RenamePair {
  readonly from: RawChange;
  /** Of 60,000, as git counts. */
  readonly score: number;
}

/** The score of equal contents. */
export const MAX_SCORE = 60_000;
const DEFAULT_LIMIT = 1000;
/** Sources that a file is compared with closely: the best so many are remembered. */
const MAX_CANDIDATES = 4;
/** Sources of equal content that are examined for one file. */
const MAX_EQUAL = 101;

/** Content beyond this much in one file, or in all files compared, is not looked into. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
/** Pieces of content compared in all, a few seconds of work. */
const MAX_PIECES = 1_000_000_000;

/**
 * Pairs added files with deleted ones of the same or similar content: equal contents first, then equal names in another
 * directory, then whatever is most alike. The rules and their order are git's.
 * @param changes files that differ, in the order of their paths; with `copiesHarder` also those that do not
 * @returns for each added path that has a source, that source
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

/** How well two files fit. */
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
    // A file that stays is in use by itself.
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

  /** Of sources of equal content, one that has no target yet and the same name, if it can be had. */
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

  /** A file that keeps a name no other candidate has most likely moved: one comparison instead of a row of them. */
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
    // Sources that no target has yet are given away first; copies may take any.
    for (const reuse of this.copies ? [false, true] : [false]) {
      for (const { target, source, score } of found) {
        if (score < this.minScore) break;
        if (!this.pairs.has(target) && (reuse || !this.used.has(source))) this.pair(target, source, score);
      }
    }
  }

  /** None when there are too many; without the unchanged ones when only those are too many. */
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

  /** What part of the larger file both share, of 60,000; 0 when their sizes alone tell that it cannot be enough. */
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

/** Keeps the best few; of equals the first. A new one takes the place of the first of the worst. */
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

  /** From now on a candidate that cannot be taken need not be offered: it changes no order. */
  get isFull(): boolean {
    return this.slots.length === MAX_CANDIDATES;
  }

  inOrderOfSlots(): readonly T[] {
    return this.slots;
  }
}

/** Most alike first; of equals one that keeps its name. */
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
