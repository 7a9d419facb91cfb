import type { Database } from "../../db/database.ts";
import { refNameOf, withByteNames } from "../../git/refs/names.ts";
import { projectionStamp, writeProjection } from "../../git/refs/projection.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import type { Log } from "../../kernel/log.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { findFolder } from "../folders/store.ts";
import type { RepoStorage } from "../storage.ts";
import * as store from "./store.ts";

const MARK_DELAY_MS = 1_000;
const RETRY_MS = 5_000;

/** `HEAD` and `packed-refs` of git folders, which show real git the state of the database. */
export class Projections {
  /** Folders that were written but not yet recorded as such. */
  private readonly unrecorded = new Set<number>();
  /** Folders that could not be written. */
  private readonly lagging = new Set<number>();
  /** Folders being written; `again`: something has changed since the write began. */
  private readonly projecting = new Map<number, { again: boolean; done: Promise<void> }>();
  private isClosed = false;
  private isHeldBack = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly db: Database,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly log: Log,
    private readonly crash: CrashPoint,
  ) {}

  /** Runs work during which only `write` writes folders. */
  heldBack(work: () => void): void {
    this.isHeldBack = true;
    work();
    this.isHeldBack = false;
  }

  /** Writes the folder from the database in a worker; changes made meanwhile are written right afterwards. */
  soon(folderId: number): void {
    if (this.isHeldBack || this.isClosed) return;
    this.unrecorded.delete(folderId);
    const under = this.projecting.get(folderId);
    if (under) {
      under.again = true;
      return;
    }
    const work = { again: false, done: Promise.resolve() };
    this.projecting.set(folderId, work);
    work.done = this.projectElsewhere(folderId, work);
  }

  private async projectElsewhere(folderId: number, work: { again: boolean }): Promise<void> {
    try {
      do {
        work.again = false;
        const input = { databasePath: this.db.path, folderId, repoDir: this.storage.dirOf(folderId) };
        await this.pool.run("refs.project", input, { lane: "writes" });
      } while (work.again);
      this.crash("refs.after-projection");
      this.noteWritten(folderId);
    } catch (error) {
      this.noteLagging(folderId, error);
    } finally {
      this.projecting.delete(folderId);
    }
  }

  /** Resolves once the folders show all changes so far, or writing them has failed. */
  async written(): Promise<void> {
    await Promise.all([...this.projecting.values()].map(({ done }) => done));
  }

  /** Writes HEAD and packed-refs of the folder from the database, synchronously. */
  write(folderId: number, options: { breakLocks?: boolean } = {}): void {
    try {
      const folder = findFolder(this.db, folderId);
      if (!folder) return;
      writeProjection(
        this.storage.dirOf(folderId),
        {
          head: refNameOf(`refs/heads/${folder.defaultBranch}`),
          refs: withByteNames(store.listRefs(this.db, folderId)),
          version: folder.refsVersion,
        },
        { ...options, crashPoint: this.crash },
      );
    } catch (error) {
      this.noteLagging(folderId, error);
      return;
    }
    this.noteWritten(folderId);
  }

  /** The projections_due row stays: the next change, retry or start writes it. */
  private noteLagging(folderId: number, error: unknown): void {
    // The folder was deleted meanwhile.
    if (this.isClosed || !findFolder(this.db, folderId)) return;
    this.unrecorded.delete(folderId);
    this.lagging.add(folderId);
    this.retry ??= setTimeout(() => this.projectLagging(), RETRY_MS);
    this.retry.unref?.();
    this.storage.noteFailure(error);
    this.log.warn("the refs could not be written to the repository's folder", { folder: folderId, error });
  }

  private noteWritten(folderId: number): void {
    this.lagging.delete(folderId);
    this.unrecorded.add(folderId);
    this.timer ??= setTimeout(() => this.settle(), MARK_DELAY_MS);
  }

  /** Retries projections that could not be written: the disk was full, or real git held a lock. */
  private projectLagging(): void {
    this.retry = undefined;
    for (const folderId of [...this.lagging]) {
      this.lagging.delete(folderId);
      this.soon(folderId);
    }
  }

  /** Writes the projection once the running transaction is committed. */
  afterCommit(folderId: number): void {
    store.markProjectionDue(this.db, folderId);
    this.db.onCommit(() => this.soon(folderId));
  }

  /** On shutdown: stops retrying; the next start writes what is missing. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.settle();
  }

  /** Records which projections were written; losing this only means writing them again. */
  settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      this.recordWritten();
    } catch (error) {
      this.log.warn("it could not be recorded that refs were written to their folders", { error });
    }
  }

  private recordWritten(): void {
    const done = [...this.unrecorded];
    this.unrecorded.clear();
    if (done.length === 0) return;
    this.db.transaction(() => {
      store.clearProjectionDue(this.db, done);
      for (const folderId of done)
        store.setProjectionMark(this.db, folderId, projectionStamp(this.storage.dirOf(folderId)));
      this.crash("settle.in-transaction");
    });
  }
}
