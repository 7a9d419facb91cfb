import { Commits } from "../../git/graph/commits.ts";
import type { CommitGraph } from "../../git/graph/reader.ts";
import { aheadBehindAll } from "../../git/history/ahead-behind.ts";
import { type AheadBehind, isAncestor, mergeBases } from "../../git/history/ancestry.ts";
import { lastCommits } from "../../git/history/last-commits.ts";
import { isHistoryOf, type LogOptions } from "../../git/history/log.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { MeteredSource } from "../../git/odb/metered.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { ReadingSpent } from "../../git/packs/read-meter.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { type CommitChanges, changesOf } from "./changes.ts";
import type { FileDiffRequest, FileDiffs } from "./file-diffs.ts";
import { GraphCache } from "./graph-cache.ts";
import { type HistoryPage, type HistoryRequest, historyPage } from "./page.ts";

/** Repositories with fewer objects are searched on this thread: a few milliseconds, less than starting a worker job. */
const SMALL_OBJECTS = 3_000;

/**
 * Maximum bytes read on this thread, some twenty milliseconds of work: the number of objects does not tell how large
 * they are. Less for files, because comparing them line by line takes longer.
 */
const QUICK_BYTES = 4 * 1024 * 1024;
/** Trees of some ten thousand entries: processing an entry costs as much again as reading it. */
const QUICK_DIRECTORY_BYTES = 512 * 1024;
const QUICK_DIFF_BYTES = 256 * 1024;
/** Delta chains below them, which cost less per byte. */
const QUICK_CHAIN_BYTES = 4 * 1024 * 1024;

/** With a commit-graph, this many commits are walked, or counted, in a few milliseconds. */
const QUICK_WALK = 2_000;
const QUICK_COUNT = 150_000;
/** The size of an object id in a list, and of one touched file with its path. */
const OID_BYTES = 60;
const FILE_BYTES = 200;

/** Longer lists of files are not cached. */
const KEPT_FILES = 50;

/** A diff, and the repositories its files are in. */
export interface PlacedFileDiffs extends FileDiffs {
  readonly newSide: SeenRepo;
  readonly to: Oid;
  readonly oldSide: SeenRepo;
  /** undefined for a root commit. */
  readonly from: Oid | undefined;
  /** Set if the files are not code: their URLs are below this path of the repository. */
  readonly below?: "wiki";
}

/**
 * The history of a repository. Results depend only on object ids and never change, so they are cached; anything that
 * may take long runs in a worker.
 */
export class HistoryService {
  private readonly pages: Cache<string, HistoryPage>;
  private readonly lasts: Cache<string, Oid>;
  private readonly directories: Cache<string, ReadonlyMap<string, Oid>>;
  private readonly changes: Cache<string, CommitChanges>;
  private readonly graphs: GraphCache;
  private readonly diffs: Cache<string, FileDiffs>;
  private readonly bases: Cache<string, readonly Oid[]>;
  private readonly distances: Cache<string, AheadBehind>;
  private readonly diffsUnderWay = new InFlight<string, FileDiffs>();
  private readonly pagesUnderWay = new InFlight<string, HistoryPage>();

  constructor(
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.graphs = new GraphCache(caches);
    this.pages = caches.cache((page) => page.oids.length * OID_BYTES);
    this.lasts = caches.cache(() => OID_BYTES);
    this.directories = caches.cache((found) => found.size * FILE_BYTES);
    this.changes = caches.cache(({ files }) => files.length * FILE_BYTES);
    this.diffs = caches.cache(weightOf);
    this.bases = caches.cache((bases) => bases.length * OID_BYTES);
    this.distances = caches.cache(() => 16);
  }

  /** A page of history. @throws CorruptObject if a commit or tree it needs is missing */
  async page(seen: SeenRepo, request: HistoryRequest): Promise<HistoryPage> {
    const key = `${seen.repo.id} ${JSON.stringify(request)}`;
    const cached = this.pages.get(key);
    if (cached) return cached;
    const inWorker = () =>
      this.pagesUnderWay.once(key, () =>
        this.pool.run("content.history", { ...request, repoDir: this.storage.dirOf(seen.repo.id) }),
      );
    const page = this.isQuick(seen, request)
      ? await this.hereOr(seen, (objects) => historyPage(new Commits(objects, this.graph(seen)), request), inWorker)
      : await inWorker();
    this.pages.set(key, page);
    return page;
  }

  /** The number of commits in a range; cached, as counting may walk all of it. */
  async count(seen: SeenRepo, range: LogOptions): Promise<number> {
    // Counted after the push that moved the branch there.
    if (isHistoryOf(range, seen.repo.countedTip)) return seen.repo.commitCount;
    return (await this.page(seen, { ...range, skip: 0, limit: 0, count: true })).total ?? 0;
  }

  /**
   * The newest commit reachable from `commit` that changed the path; undefined if none did.
   * @param path without leading or trailing slashes; empty: the root directory, which every commit changes
   */
  async lastCommit(seen: SeenRepo, commit: Oid, path: string): Promise<Oid | undefined> {
    if (path === "") return commit;
    const key = `${seen.repo.id} ${commit} ${path}`;
    const cached = this.lasts.get(key);
    if (cached) return cached;
    const found = (await this.page(seen, { tips: [commit], paths: [path], skip: 0, limit: 1, count: false })).oids[0];
    if (found) this.lasts.set(key, found);
    return found;
  }

  /**
   * The commit that last changed each entry of a directory.
   * @param first only these, the first ones of a large directory: always the same for a given number
   */
  async lastCommits(
    seen: SeenRepo,
    commit: Oid,
    directory: string,
    first?: readonly string[],
  ): Promise<ReadonlyMap<string, Oid>> {
    const key = `${seen.repo.id} ${commit} ${first?.length ?? ""} ${directory}`;
    const cached = this.directories.get(key);
    if (cached) return cached;
    const { found } = await this.quickly(
      seen,
      (objects) => lastCommits(new Commits(objects, this.graph(seen)), commit, directory),
      () =>
        this.pool.run("git.lastCommits", {
          repoDir: this.storage.dirOf(seen.repo.id),
          commit,
          directory,
          ...(first ? { only: first } : {}),
        }),
      QUICK_DIRECTORY_BYTES,
    );
    this.directories.set(key, found);
    return found;
  }

  /** The changes of each of these commits, in order. */
  async changesOf(seen: SeenRepo, commits: readonly Oid[]): Promise<CommitChanges[]> {
    const keyOf = (oid: Oid) => `${seen.repo.id} ${oid}`;
    const known = new Map<Oid, CommitChanges>();
    for (const oid of commits) {
      const found = this.changes.get(keyOf(oid));
      if (found) known.set(oid, found);
    }
    const missing = commits.filter((oid) => !known.has(oid));
    if (missing.length > 0) {
      const made = await this.quickly(
        seen,
        (objects) => missing.map((oid) => changesOf(objects, oid)),
        () => this.pool.run("content.changes", { repoDir: this.storage.dirOf(seen.repo.id), commits: missing }),
        QUICK_DIFF_BYTES,
      );
      for (const [at, oid] of missing.entries()) {
        const change = made[at];
        if (!change) throw new Error(`the changes of ${oid} were not computed`);
        known.set(oid, change);
        if (change.files.length <= KEPT_FILES) this.changes.set(keyOf(oid), change);
      }
    }
    return commits.map((oid) => {
      const change = known.get(oid);
      if (!change) throw new Error(`the changes of ${oid} were not computed`);
      return change;
    });
  }

  /**
   * Diffs of some of the files of a change.
   * @param fromRepo the repository of `from`, if it is another one
   * @throws CorruptObject if an object is missing
   */
  async fileDiffs(seen: SeenRepo, request: FileDiffRequest, fromRepo: SeenRepo = seen): Promise<PlacedFileDiffs> {
    const { from, to } = request;
    const place = { newSide: seen, to, oldSide: fromRepo, from };
    const key = `${seen.repo.id} ${JSON.stringify(request)}`;
    const cached = this.diffs.get(key);
    if (cached) return { ...cached, ...place };
    const found = await this.diffsUnderWay.once(key, async () => {
      const [repoDir, fromDir] = [this.storage.dirOf(seen.repo.id), this.storage.dirOf(fromRepo.repo.id)];
      const made = await this.pool.run("content.diff", {
        ...request,
        repoDir,
        fromDir: fromDir === repoDir ? undefined : fromDir,
      });
      this.diffs.set(key, made);
      return made;
    });
    return { ...found, ...place };
  }

  /** Best common ancestors, newest first. */
  async mergeBases(seen: SeenRepo, left: Oid, right: Oid): Promise<readonly Oid[]> {
    const key = `${seen.repo.id} ${left} ${right}`;
    const cached = this.bases.get(key);
    if (cached) return cached;
    const found = await this.quickly(
      seen,
      (objects) => mergeBases(new Commits(objects, this.graph(seen)), left, right),
      () => this.pool.run("git.mergeBases", { repoDir: this.storage.dirOf(seen.repo.id), left, right }),
    );
    this.bases.set(key, found);
    return found;
  }

  /** Whether `ancestor` is reachable from `descendant`. */
  async isAncestor(seen: SeenRepo, ancestor: Oid, descendant: Oid): Promise<boolean> {
    return this.quickly(
      seen,
      (objects) => isAncestor(new Commits(objects, this.graph(seen)), ancestor, descendant),
      () => this.pool.run("git.isAncestor", { repoDir: this.storage.dirOf(seen.repo.id), ancestor, descendant }),
    );
  }

  /** How far each of these commits has diverged from the base, in order. */
  async aheadBehind(seen: SeenRepo, base: Oid, tips: readonly Oid[]): Promise<AheadBehind[]> {
    const keyOf = (tip: Oid) => `${seen.repo.id} ${base} ${tip}`;
    const known = new Map<Oid, AheadBehind>();
    for (const tip of tips) {
      const found = this.distances.get(keyOf(tip));
      if (found) known.set(tip, found);
    }
    const missing = tips.filter((tip) => !known.has(tip));
    if (missing.length > 0) {
      const made = await this.quickly(
        seen,
        (objects) => aheadBehindAll(new Commits(objects, this.graph(seen)), base, missing),
        () => this.pool.run("git.aheadBehind", { repoDir: this.storage.dirOf(seen.repo.id), base, tips: missing }),
      );
      for (const [at, tip] of missing.entries()) {
        const found = made[at]!;
        known.set(tip, found);
        this.distances.set(keyOf(tip), found);
      }
    }
    return tips.map((tip) => known.get(tip)!);
  }

  /** Whether a page can be made on this thread: from a small repository, or near the tip of one with a commit-graph. */
  private isQuick(
    seen: SeenRepo,
    { tips, not, paths, since, until, match, skip, limit, count }: HistoryRequest,
  ): boolean {
    if (this.isSmall(seen)) return true;
    if (paths?.length || not?.length || match || skip + limit > QUICK_WALK) return false;
    if (since !== undefined || until !== undefined) return false;
    const graph = this.graph(seen);
    if (!graph || (count && graph.count > QUICK_COUNT)) return false;
    return tips.every((tip) => graph.positionOf(tip) >= 0);
  }

  /** For `quickly`. Must not be kept across an await. */
  graph(seen: SeenRepo): CommitGraph | undefined {
    return this.graphs.of(this.storage.dirOf(seen.repo.id));
  }

  /**
   * Runs work on this thread if the repository is small and little has to be read, otherwise in a worker, where it
   * starts over.
   * @param here must read objects only from the source it is given
   */
  async quickly<T>(
    seen: SeenRepo,
    here: (objects: ObjectSource) => T,
    inWorker: () => Promise<T>,
    quickBytes = QUICK_BYTES,
  ): Promise<T> {
    return this.isSmall(seen) ? this.hereOr(seen, here, inWorker, quickBytes) : inWorker();
  }

  private async hereOr<T>(
    seen: SeenRepo,
    here: (objects: ObjectSource) => T,
    inWorker: () => Promise<T>,
    quickBytes = QUICK_BYTES,
  ): Promise<T> {
    try {
      const objects = this.objects(seen);
      return objects.metered(quickBytes + QUICK_CHAIN_BYTES, () => here(new MeteredSource(objects, quickBytes)));
    } catch (error) {
      if (!(error instanceof ReadingSpent)) throw error;
    }
    return inWorker();
  }

  /** Whether there are few objects. Their size is another matter: see `quickly`. */
  isSmall(seen: SeenRepo): boolean {
    let count = 0;
    for (const pack of this.objects(seen).packs()) count += pack.index.objectCount;
    // Only the server's own edits and small pushes make loose objects; maintenance packs them before they are many.
    return count < SMALL_OBJECTS;
  }

  private objects(seen: SeenRepo): ObjectStore {
    return this.storage.objects(seen.repo.id);
  }
}

/** Approximate memory size of a diff, in bytes. */
function weightOf({ files }: FileDiffs): number {
  let bytes = 0;
  for (const file of files) {
    bytes += 400;
    for (const hunk of file.hunks)
      for (const line of hunk.lines) bytes += 100 + (line.text.length + (line.html?.length ?? 0)) * 2;
  }
  return bytes;
}
