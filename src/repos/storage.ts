import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CostlyObject, MissingRepository } from "../git/errors.ts";
import type { ObjectFormat } from "../git/objects/format.ts";
import type { GitObject } from "../git/objects/types.ts";
import { ObjectStore } from "../git/odb/store.ts";
import type { CacheBudget } from "../kernel/cache.ts";
import { isFailedFlush } from "../kernel/disk.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { repositoryDirectory } from "./directory.ts";

const OPEN_STORES = 32;
/** What reading one object may cost the main thread, in bytes inflated and applied: some fifteen milliseconds. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Objects that workers read for the main thread: so much of them is cached, and no larger one is taken. */
const PROVIDED_BYTES = 32 * 1024 * 1024;
const MAX_PROVIDED_BYTES = 12 * 1024 * 1024;
/** So many costly objects may stand in the way of one answer. */
const MAX_COSTLY = 32;

/** Something has to be found out elsewhere before the work can go on: `RepoStorage.reading` sees to it and begins again. */
export class Deferred extends Error {
  override name = "Deferred";
  constructor(readonly settle: () => Promise<void>) {
    super("asked outside of RepoStorage.reading");
  }
}

/**
 * Where git folders lie on disk, found by number so that a rename moves nothing, and their open object stores. The folder
 * of a repository's code has the repository's number, others have numbers of their own (`GitFolders`).
 */
export class RepoStorage {
  private readonly stores = new Map<number, ObjectStore>();
  /** How many hold `writing`. */
  private readonly writers = new Map<number, number>();
  /** By folder and id, oldest first. Not in the budget of caches: an answer cannot be made without them. */
  private readonly provided = new Map<string, GitObject>();

  /** The folder of all repositories. */
  readonly root: string;

  constructor(
    dataDir: string,
    private readonly caches: CacheBudget,
    private readonly pool: WorkerPool,
    /** Told when a flush to the device failed: nothing may be written any more. */
    private readonly onFailedFlush: (error: unknown) => void,
  ) {
    this.root = join(dataDir, "repositories");
  }

  /** The bare repository's folder, whether it exists or not. */
  dirOf(folderId: number): string {
    return repositoryDirectory(this.root, folderId);
  }

  /**
   * Makes a bare repository, durably, with the folders above it and what it begins with: a dozen flushes, in a worker.
   * @throws the file system's error, as the job's
   */
  async init(
    folderId: number,
    { defaultBranch, format, objects = [] }: { defaultBranch: string; format: ObjectFormat; objects?: GitObject[] },
  ): Promise<void> {
    const input = { repoDir: this.dirOf(folderId), defaultBranch, format: format.name, objects };
    await this.noting(this.pool.run("git.create", input, { lane: "writes" }));
  }

  /** Stores loose objects durably, before the refs that need them move. @throws the file system's error, as the job's */
  async write(folderId: number, objects: readonly GitObject[]): Promise<void> {
    const input = { repoDir: this.dirOf(folderId), objects };
    await this.noting(this.pool.run("git.store", input, { lane: "writes" }));
  }

  /** To be told of every error that may be a failed flush. */
  noteFailure(error: unknown): void {
    if (isFailedFlush(error)) this.onFailedFlush(error);
  }

  private async noting(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /**
   * Runs work that reads objects and has no other effect, or none yet, again and again, until every object that costs
   * too much to read in this thread was read elsewhere, and whatever was deferred is known.
   * @param mayAskAgain whether it had no effect so far
   * @throws CostlyObject when there are too many of them, or too large ones, or it had an effect
   */
  async reading<T>(work: () => T | Promise<T>, mayAskAgain: () => boolean = () => true): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === MAX_COSTLY || !mayAskAgain() || !(await this.provide(error)) || !mayAskAgain()) throw error;
      }
    }
  }

  private async provide(error: unknown): Promise<boolean> {
    if (error instanceof Deferred) {
      await error.settle();
      return true;
    }
    if (!(error instanceof CostlyObject)) return false;
    const { repoDir, oid } = error;
    const object = await this.pool.run("git.object", { repoDir, oid, maxBytes: MAX_PROVIDED_BYTES });
    if (!object) return false;
    this.provided.set(`${error.repoDir} ${error.oid}`, object);
    let bytes = 0;
    for (const { data } of this.provided.values()) bytes += data.length;
    for (const [oldest, { data }] of this.provided) {
      if (bytes <= PROVIDED_BYTES) break;
      this.provided.delete(oldest);
      bytes -= data.length;
    }
    return true;
  }

  /**
   * The repository's objects; a store is kept open for those used lately. Do not keep it across an await. What would
   * hold this thread up is not read: see `reading`.
   */
  objects(folderId: number): ObjectStore {
    const open = this.stores.get(folderId);
    if (open) {
      this.stores.delete(folderId);
      this.stores.set(folderId, open);
      return open;
    }
    const dir = this.dirOf(folderId);
    const store = ObjectStore.open(dir, {
      maxReadBytes: MAX_READ_BYTES,
      provided: (oid) => this.provided.get(`${dir} ${oid}`),
      cache: this.caches.cache(({ data }) => data.length),
      // Costs little beside inflating, and is the only check of an entry's type and base.
      verify: true,
    });
    this.stores.set(folderId, store);
    if (this.stores.size > OPEN_STORES) {
      const oldest = this.stores.keys().next().value;
      if (oldest !== undefined) this.close(oldest);
    }
    return store;
  }

  /** That there is a repository to ask, where nothing is read yet. @throws MissingRepository */
  requireThere(folderId: number): void {
    const dir = this.dirOf(folderId);
    if (!existsSync(join(dir, "objects"))) throw new MissingRepository(dir);
  }

  /** Takes the folder away for good. */
  remove(folderId: number): void {
    this.close(folderId);
    const dir = this.dirOf(folderId);
    const parent = dirname(dir);
    // A making that was killed leaves `<id>.git.<random>.tmp` beside it.
    for (const name of existsSync(parent) ? readdirSync(parent) : []) {
      if (name.startsWith(`${basename(dir)}.`)) rmSync(join(parent, name), { recursive: true, force: true });
    }
    rmSync(dir, { recursive: true, force: true });
  }

  /** Opens the repository's objects again when they are next asked for: packs were taken away. */
  reopen(folderId: number): void {
    this.close(folderId);
  }

  /**
   * To be held by whoever stores objects and names them in a ref later: from before checking what is stored already
   * until the ref has moved. Meanwhile no object goes for good. Answers what ends it; ending it twice is fine.
   */
  writing(folderId: number): () => void {
    this.writers.set(folderId, (this.writers.get(folderId) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const left = this.writers.get(folderId)! - 1;
      if (left === 0) this.writers.delete(folderId);
      else this.writers.set(folderId, left);
    };
  }

  isBeingWritten(folderId: number): boolean {
    return this.writers.has(folderId);
  }

  closeAll(): void {
    for (const folderId of [...this.stores.keys()]) this.close(folderId);
  }

  private close(folderId: number): void {
    this.stores.get(folderId)?.close();
    this.stores.delete(folderId);
  }
}
