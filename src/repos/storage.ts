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
/** Max cost of reading one object on the main thread, in bytes inflated and applied: about 15 ms. */
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** Objects that workers read for the main thread: total cached, and the max size of one. */
const PROVIDED_BYTES = 32 * 1024 * 1024;
const MAX_PROVIDED_BYTES = 12 * 1024 * 1024;
/** Max costly objects read elsewhere for one answer. */
const MAX_COSTLY = 32;

/**
 * Thrown when something has to be found out elsewhere first: `RepoStorage.reading` awaits `settle` and starts again.
 */
export class Deferred extends Error {
  override name = "Deferred";
  constructor(readonly settle: () => Promise<void>) {
    super("asked outside of RepoStorage.reading");
  }
}

/**
 * Where git folders are on disk, and their open object stores. Folders are named by id, so a rename moves nothing. The
 * code folder has the repository's id, others have separate ids (`GitFolders`).
 */
export class RepoStorage {
  private readonly stores = new Map<number, ObjectStore>();
  /** Number of `writing` holders per folder. */
  private readonly writers = new Map<number, number>();
  /** By folder and oid, oldest first. Not part of the cache budget: answers cannot be given without these. */
  private readonly provided = new Map<string, GitObject>();

  /** The root folder of all repositories. */
  readonly root: string;

  constructor(
    dataDir: string,
    private readonly caches: CacheBudget,
    private readonly pool: WorkerPool,
    /** Called when flushing to the device failed: nothing may be written after that. */
    private readonly onFailedFlush: (error: unknown) => void,
  ) {
    this.root = join(dataDir, "repositories");
  }

  /** The bare repository's folder, whether or not it exists. */
  dirOf(folderId: number): string {
    return repositoryDirectory(this.root, folderId);
  }

  /**
   * Creates a bare repository durably, with parent folders and initial objects: about a dozen flushes, in a worker.
   * @throws the file system's error, as the job's
   */
  async init(
    folderId: number,
    { defaultBranch, format, objects = [] }: { defaultBranch: string; format: ObjectFormat; objects?: GitObject[] },
  ): Promise<void> {
    const input = { repoDir: this.dirOf(folderId), defaultBranch, format: format.name, objects };
    await this.noting(this.pool.run("git.create", input, { lane: "writes" }));
  }

  /** Stores loose objects durably, before refs that need them move. @throws the file system's error, as the job's */
  async write(folderId: number, objects: readonly GitObject[]): Promise<void> {
    const input = { repoDir: this.dirOf(folderId), objects };
    await this.noting(this.pool.run("git.store", input, { lane: "writes" }));
  }

  /** Call this with every error that may be a failed flush. */
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
   * Runs work that reads objects and has no side effects (yet), repeating it until every object too costly to read on
   * this thread has been read elsewhere and everything deferred is settled.
   * @param mayAskAgain whether it still has had no side effects
   * @throws CostlyObject there are too many, they are too large, or the work has had side effects
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
   * The repository's objects; recently used stores stay open. Do not keep the store across an await. Objects that would
   * block this thread are not read: see `reading`.
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
      // Cheap compared with inflating, and the only check of an entry's type and base.
      verify: true,
    });
    this.stores.set(folderId, store);
    if (this.stores.size > OPEN_STORES) {
      const oldest = this.stores.keys().next().value;
      if (oldest !== undefined) this.close(oldest);
    }
    return store;
  }

  /** Checks that the repository exists before anything is read. @throws MissingRepository */
  requireThere(folderId: number): void {
    const dir = this.dirOf(folderId);
    if (!existsSync(join(dir, "objects"))) throw new MissingRepository(dir);
  }

  /** Deletes the folder for good. */
  remove(folderId: number): void {
    this.close(folderId);
    const dir = this.dirOf(folderId);
    const parent = dirname(dir);
    // A creation that was killed leaves `<id>.git.<random>.tmp` beside it.
    for (const name of existsSync(parent) ? readdirSync(parent) : []) {
      if (name.startsWith(`${basename(dir)}.`)) rmSync(join(parent, name), { recursive: true, force: true });
    }
    rmSync(dir, { recursive: true, force: true });
  }

  /** Reopens the repository's objects on next use, because packs were removed. */
  reopen(folderId: number): void {
    this.close(folderId);
  }

  /**
   * Must be held by anyone who stores objects and then points a ref at them: from before checking what is already
   * stored until the ref has moved. No object is deleted for good meanwhile. Returns the release function, which may be
   * called more than once.
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
