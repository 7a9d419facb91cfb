import type { ObjectSource } from "../objects/source.ts";
import { MODE_GITLINK } from "../objects/tree.ts";
import { contentOf } from "./content.ts";
import { MODE_KIND } from "./cursor.ts";
import { type Fingerprint, fingerprint, similarity } from "./similarity.ts";
import type { RawChange } from "./tree.ts";

export interface RenameOptions {
  /** Least percent of content that must have stayed; 50 by default, as `git diff -M`. */
  readonly minSimilarity?: number;
  /** Also take files that were changed in place as sources, as `git diff -C`. */
  readonly copies?: boolean;
  /** Edited renames are looked for only while sources times destinations stay below the square of this; 400 by default. */
  readonly renameLimit?: number;
}

export interface RenamePair {
  readonly from: RawChange;
  readonly similarity: number;
  readonly copied: boolean;
}

/** Content beyond this much in one file, or in all files compared, is not looked into. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 96 * 1024 * 1024;
/** Pieces of content compared in all, a few seconds of work. */
const MAX_PIECES = 50_000_000;

/**
 * Pairs added files with deleted ones of the same or similar content: equal contents first, then equal names in another
 * folder, then whatever is most alike.
 * @returns for each added path that has a source, that source
 */
export function findRenames(
  store: ObjectSource,
  changes: readonly RawChange[],
  options: RenameOptions = {},
): Map<RawChange, RenamePair> {
  const search = new RenameSearch(store, changes, options);
  search.pairExact();
  search.pairBasenames();
  search.pairSimilar();
  return search.pairs;
}

class RenameSearch {
  readonly pairs = new Map<RawChange, RenamePair>();
  private readonly targets: RawChange[];
  private readonly sources: RawChange[];
  private readonly used = new Set<RawChange>();
  private readonly fingerprints = new Map<string, Fingerprint | undefined>();
  private readonly min: number;
  private readonly copies: boolean;
  private readonly limit: number;
  private bytesRead = 0;
  private piecesLeft = MAX_PIECES;

  constructor(
    private readonly store: ObjectSource,
    changes: readonly RawChange[],
    options: RenameOptions,
  ) {
    this.min = options.minSimilarity ?? 50;
    this.copies = options.copies ?? false;
    this.limit = options.renameLimit ?? 400;
    this.targets = changes.filter((change) => change.oldMode === 0);
    this.sources = changes.filter((change) => change.oldMode !== 0 && (change.newMode === 0 || this.copies));
  }

  pairExact(): void {
    const byContent = new Map<string, RawChange[]>();
    for (const source of this.sources) {
      const key = contentKey(source.oldMode, source.oldOid);
      const alike = byContent.get(key);
      if (alike) alike.push(source);
      else byContent.set(key, [source]);
    }
    for (const target of this.targets) {
      const alike = byContent.get(contentKey(target.newMode, target.newOid)) ?? [];
      const free = alike.filter((source) => this.copies || !this.used.has(source));
      const score = (source: RawChange) =>
        (this.used.has(source) ? 0 : 2) + (basename(source.path) === basename(target.path) ? 1 : 0);
      const best = free.reduce<RawChange | undefined>(
        (found, source) => (found && score(found) >= score(source) ? found : source),
        undefined,
      );
      if (best) this.pair(target, best, 100);
    }
  }

  /** A file that keeps a name no other candidate has most likely moved: one comparison instead of a row of them. */
  pairBasenames(): void {
    if (this.min >= 100) return;
    const targets = uniqueByBasename(this.openTargets());
    const sources = uniqueByBasename(this.openSources(false));
    const least = this.min + (100 - this.min) / 2;
    for (const [name, target] of targets) {
      const source = sources.get(name);
      const score = source ? this.compare(source, target, least) : -1;
      if (source && score >= least) this.pair(target, source, score);
    }
  }

  pairSimilar(): void {
    const targets = this.openTargets();
    const sources = this.openSources(this.copies);
    if (this.min >= 100 || targets.length * sources.length > this.limit * this.limit) return;
    const found: { target: RawChange; source: RawChange; score: number; sameName: boolean }[] = [];
    for (const target of targets) {
      for (const source of sources) {
        const score = this.compare(source, target, this.min);
        if (score < this.min) continue;
        found.push({ target, source, score, sameName: basename(source.path) === basename(target.path) });
      }
    }
    found.sort((a, b) => b.score - a.score || Number(b.sameName) - Number(a.sameName));
    // Sources that no target has yet are given away first; copies may take any.
    for (const reuse of this.copies ? [false, true] : [false]) {
      for (const { target, source, score } of found) {
        if (!this.pairs.has(target) && (reuse || !this.used.has(source))) this.pair(target, source, score);
      }
    }
  }

  private openTargets(): RawChange[] {
    return this.targets.filter((target) => !this.pairs.has(target));
  }

  private openSources(withUsed: boolean): RawChange[] {
    return this.sources.filter((source) => withUsed || (source.newMode === 0 && !this.used.has(source)));
  }

  private pair(target: RawChange, source: RawChange, score: number): void {
    this.pairs.set(target, { from: source, similarity: score, copied: source.newMode !== 0 || this.used.has(source) });
    this.used.add(source);
  }

  /** Similarity in percent, -1 when it cannot reach `least`. */
  private compare(source: RawChange, target: RawChange, least: number): number {
    const kind = source.oldMode & MODE_KIND;
    if (kind !== (target.newMode & MODE_KIND) || kind === MODE_GITLINK) return -1;
    const a = this.fingerprintOf(source.oldMode, source.oldOid);
    const b = this.fingerprintOf(target.newMode, target.newOid);
    if (!a || !b) return -1;
    const larger = Math.max(a.sizeBytes, b.sizeBytes);
    const smaller = Math.min(a.sizeBytes, b.sizeBytes);
    if (smaller === 0 || smaller * 100 < least * larger || this.piecesLeft < 0) return -1;
    this.piecesLeft -= Math.min(a.pieces.size, b.pieces.size);
    return similarity(a, b);
  }

  private fingerprintOf(mode: number, oid: string | undefined): Fingerprint | undefined {
    if (oid === undefined) return undefined;
    if (this.fingerprints.has(oid)) return this.fingerprints.get(oid);
    const left = Math.min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - this.bytesRead);
    const data = contentOf(this.store, mode, oid, left);
    const result = data === "too-large" ? undefined : fingerprint(data);
    this.bytesRead += result?.sizeBytes ?? 0;
    this.fingerprints.set(oid, result);
    return result;
  }
}

function contentKey(mode: number, oid: string | undefined): string {
  return `${mode & MODE_KIND} ${oid}`;
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
