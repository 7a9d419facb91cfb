import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../git/durable.ts";
import type { ObjectFormat } from "../git/objects/format.ts";
import type { Oid } from "../git/objects/types.ts";
import { ObjectStore } from "../git/odb/store.ts";
import { initRepository, type NewObject, writeObjects } from "../git/odb/write.ts";
import { admit, type Quarantined } from "../git/receive/quarantine.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { isFailedFlush } from "../kernel/disk.ts";

const OPEN_STORES = 32;

/** Where repositories lie on disk, found by id so that a rename moves nothing, and their open object stores. */
export class RepoStorage {
  private readonly stores = new Map<number, ObjectStore>();
  /** How many hold `writing`. */
  private readonly writers = new Map<number, number>();

  /** The folder of all repositories. */
  readonly root: string;

  constructor(
    dataDir: string,
    private readonly crash: CrashPoint = () => {},
    /** Told when a flush to the device failed: nothing may be written any more. */
    private readonly onFailedFlush: (error: unknown) => void = () => {},
  ) {
    this.root = join(dataDir, "repositories");
  }

  /** The bare repository's folder, whether it exists or not. 256 folders keep each listing short. */
  dirOf(repoId: number): string {
    return join(this.root, (repoId % 256).toString(16).padStart(2, "0"), `${repoId}.git`);
  }

  /** Makes an empty repository, durably, with the folders above it. @throws the file system's error */
  init(repoId: number, defaultBranch: string, format: ObjectFormat): void {
    const dir = this.dirOf(repoId);
    this.noting(() => {
      makeFolder(dirname(dir), 0o700);
      initRepository(dir, { defaultBranch, format, crashPoint: this.crash });
    });
  }

  /** Stores loose objects durably, before the refs that need them move. @throws the file system's error */
  write(repoId: number, objects: readonly NewObject[], isStored?: (oid: Oid) => boolean): Oid[] {
    return this.noting(() =>
      writeObjects(this.dirOf(repoId), objects, { crashPoint: this.crash, ...(isStored ? { isStored } : {}) }),
    );
  }

  /** Moves a verified pack in, durably, before the refs that need it move. @throws the file system's error */
  admit(pack: Quarantined): void {
    this.noting(() => admit(pack, this.crash));
  }

  /** To be told of every error that may be a failed flush. */
  noteFailure(error: unknown): void {
    if (isFailedFlush(error)) this.onFailedFlush(error);
  }

  private noting<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
  }

  /** The repository's objects; a store is kept open for those used lately. Do not keep it across an await. */
  objects(repoId: number): ObjectStore {
    const open = this.stores.get(repoId);
    if (open) {
      this.stores.delete(repoId);
      this.stores.set(repoId, open);
      return open;
    }
    const store = ObjectStore.open(this.dirOf(repoId), {
      maxObjectBytes: 32 * 1024 * 1024,
      cacheBytes: 4 * 1024 * 1024,
    });
    this.stores.set(repoId, store);
    if (this.stores.size > OPEN_STORES) {
      const oldest = this.stores.keys().next().value;
      if (oldest !== undefined) this.close(oldest);
    }
    return store;
  }

  /** Takes the folder away for good. */
  remove(repoId: number): void {
    this.close(repoId);
    const dir = this.dirOf(repoId);
    const parent = dirname(dir);
    // A making that was killed leaves `<id>.git.<random>.tmp` beside it.
    for (const name of existsSync(parent) ? readdirSync(parent) : []) {
      if (name.startsWith(`${basename(dir)}.`)) rmSync(join(parent, name), { recursive: true, force: true });
    }
    rmSync(dir, { recursive: true, force: true });
  }

  /** Opens the repository's objects anew when they are next asked for: packs were taken away. */
  reopen(repoId: number): void {
    this.close(repoId);
  }

  /**
   * To be held by whoever stores objects and names them in a ref later: from before he looks what is stored already
   * until the ref has moved. Meanwhile no object goes for good. Answers what ends it; ending it twice is fine.
   */
  writing(repoId: number): () => void {
    this.writers.set(repoId, (this.writers.get(repoId) ?? 0) + 1);
    let over = false;
    return () => {
      if (over) return;
      over = true;
      const left = this.writers.get(repoId)! - 1;
      if (left === 0) this.writers.delete(repoId);
      else this.writers.set(repoId, left);
    };
  }

  isBeingWritten(repoId: number): boolean {
    return this.writers.has(repoId);
  }

  closeAll(): void {
    for (const repoId of [...this.stores.keys()]) this.close(repoId);
  }

  private close(repoId: number): void {
    this.stores.get(repoId)?.close();
    this.stores.delete(repoId);
  }
}
