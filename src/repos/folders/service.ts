import type { Database } from "../../db/database.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { Log } from "../../kernel/log.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";
import type { Repo } from "../types.ts";
import * as store from "./store.ts";
import type { FolderKind, GitFolder } from "./types.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes a discarded git folder from the disk. */
    "repository.unlink": { readonly id: number };
  }
}

function parseUnlink(payload: unknown): { id: number } {
  if (typeof payload !== "object" || payload === null || !("id" in payload) || typeof payload.id !== "number")
    throw new Error("the job names no folder");
  return { id: payload.id };
}

/** The git folders of repositories: reserved before they are on disk, and forgotten after they were deleted. */
export class GitFolders {
  /** Reserved and being filled: `sweep` skips them. */
  private readonly underWay = new Set<number>();
  private readonly beginning = new InFlight<string, GitFolder>();

  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly crash: CrashPoint,
    /** Hours for which a discarded folder stays on disk. */
    private readonly trashHours: number,
  ) {
    jobs.handle("repository.unlink", { parse: parseUnlink, run: ({ id }) => this.unlink(id) });
  }

  byId(id: number): GitFolder | undefined {
    return store.findFolder(this.db, id);
  }

  find(repoId: number, kind: FolderKind): GitFolder | undefined {
    return store.findFolderOf(this.db, repoId, kind);
  }

  of(repoId: number): GitFolder[] {
    return store.foldersOf(this.db, repoId);
  }

  /** Every folder of every repository, for background work. */
  all(): GitFolder[] {
    return store.allFolders(this.db);
  }

  /** Adds an empty folder to a repository, durably. @throws Error it already has one; the file system's error */
  async create(repo: Repo, kind: Exclude<FolderKind, "code">, defaultBranch: string): Promise<GitFolder> {
    const id = this.reserve();
    try {
      await this.storage.init(id, { defaultBranch, format: repo.objectFormat });
      this.crash("create.after-objects");
      this.db.transaction(() => {
        this.add({ id, repoId: repo.id, kind, objectFormat: repo.objectFormat, defaultBranch });
        this.refs.projectAfterCommit(id);
        this.crash("create.in-transaction");
      });
    } catch (error) {
      this.discardIncomplete(id);
      throw error;
    }
    const made = this.byId(id);
    if (!made) throw new Error(`git folder ${id} is gone`);
    return made;
  }

  /** The repository's folder of that kind, created if missing; concurrent calls create it once. */
  async begin(repo: Repo, kind: Exclude<FolderKind, "code">, defaultBranch: string): Promise<GitFolder> {
    return (
      this.find(repo.id, kind) ??
      this.beginning.once(`${repo.id} ${kind}`, () => this.create(repo, kind, defaultBranch))
    );
  }

  /** Reserves the id of a folder about to be created. */
  reserve(): number {
    const id = this.db.transaction(() => store.reserveStorage(this.db, this.clock()));
    this.underWay.add(id);
    this.crash("create.after-reserve");
    return id;
  }

  /** Puts a reserved folder that is on disk into use. Joins the running transaction. */
  add(folder: Pick<GitFolder, "id" | "repoId" | "kind" | "objectFormat" | "defaultBranch">): void {
    store.insertFolder(this.db, folder);
    store.setStorageState(this.db, folder.id, "live", this.clock());
    this.db.onCommit(() => this.underWay.delete(folder.id));
  }

  /** Stores the disk size of its objects, as measured by maintenance. */
  setSize(id: number, sizeBytes: number): void {
    store.setSize(this.db, id, sizeBytes);
  }

  /** Takes a folder and its refs out of use; it is deleted from the disk later. Joins the running transaction. */
  discard(id: number): void {
    this.db.transaction(() => {
      store.deleteFolder(this.db, id);
      store.setStorageState(this.db, id, "trash", this.clock());
      this.jobs.enqueue("repository.unlink", { id }, { delayMs: this.trashHours * 3_600_000 });
    });
  }

  /**
   * Deletes folders that never came into use: at start, and periodically, because on a full disk even that may fail.
   */
  sweep(): void {
    for (const id of store.unownedStorageIn(this.db, "making")) if (!this.underWay.has(id)) this.discardIncomplete(id);
  }

  /**
   * The row is written first: that proves that the database accepts writes, and that the creation was not committed
   * after all.
   */
  discardIncomplete(id: number): void {
    this.underWay.delete(id);
    try {
      this.db.transaction(() => {
        if (store.findFolder(this.db, id)) throw new Error(`git folder ${id} is in use`);
        store.setStorageState(this.db, id, "making", this.clock());
      });
      this.removeFromDisk(id);
    } catch (error) {
      this.log.warn("the folder of a repository that was not made is left for later", { folder: id, error });
    }
  }

  private unlink(id: number): void {
    if (store.storageState(this.db, id) === "trash") this.removeFromDisk(id);
  }

  private removeFromDisk(id: number): void {
    this.storage.remove(id);
    this.crash("unlink.after-remove");
    store.forgetStorage(this.db, id);
  }
}
