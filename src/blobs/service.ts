import type { Database } from "../db/database.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { isFailedFlush } from "../kernel/disk.ts";
import type { Log } from "../kernel/log.ts";
import { BlobFiles } from "./files.ts";
import {
  blobsAfter,
  countBlobs,
  deleteBlob,
  deleteReference,
  findBlob,
  findReferenced,
  moveReference,
  putReference,
  referencesTo,
  unreferencedBefore,
} from "./store.ts";
import type { Blob, StoredBlob } from "./types.ts";

export interface BlobOptions {
  readonly dataDir: string;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly schedules: Schedules;
  readonly clock: Clock;
  readonly log: Log;
  readonly crash: CrashPoint;
  /** Days between the removal of the last reference and the deletion of the file. */
  readonly graceDays: number;
}

/** The bytes of a file, for a response: Bun sends it, or a `slice` of it, without reading it into memory. */
export interface BlobBody {
  readonly blob: Blob;
  readonly file: globalThis.Blob;
}

/** A file that the database refers to is missing or has a different size. */
export class BlobDamaged extends Error {
  override name = "BlobDamaged";
}

const SWEEP = "blobs.sweep";
const BATCH = 100;
const MAX_OWNERS = 20;

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes files that nothing refers to. */
    "blobs.sweep": object;
  }
}

/**
 * Content-addressed files, shared by all areas. Each area decides who may read its files: it looks a file up under its
 * own key, never by a digest from a request, and a sender must send all bytes, so that nobody can find out who has
 * which file (security rules C13, C16, C17).
 */
export class BlobService {
  readonly files: BlobFiles;
  /** Files in place whose receivers have not disposed of them yet. */
  private readonly held = new Map<string, number>();

  constructor(private readonly options: BlobOptions) {
    this.files = new BlobFiles(options.dataDir, options.crash);
    options.jobs.handle(SWEEP, { parse: () => ({}), run: (_, { signal }) => this.sweepAll(signal) });
    options.schedules.add({ name: "cleanup_blobs", cron: "45 4 * * *", kind: SWEEP, payload: {}, removesByAge: true });
  }

  /**
   * Receives a file: streamed, hashed, limited, flushed, in place. Dispose of it when the transaction that refers to it
   * has ended (`using`).
   * @throws TooLarge `blob.too-large`; the source's or the file system's error. Nothing is left behind then.
   */
  async receive(source: AsyncIterable<Uint8Array>, { maxBytes }: { readonly maxBytes: number }): Promise<StoredBlob> {
    const { files } = this;
    try {
      const { blob, temporary } = await files.receive(source, maxBytes);
      this.hold(blob.digest);
      try {
        const mark = files.place(blob.digest, temporary);
        return { ...blob, [Symbol.dispose]: () => this.letGo(blob.digest, mark) };
      } catch (error) {
        files.discard(temporary);
        this.letGo(blob.digest, undefined);
        throw error;
      }
    } catch (error) {
      if (isFailedFlush(error)) this.options.db.stopWrites(error);
      throw error;
    }
  }

  /** Makes this the file of the area's owner key, replacing any previous one. Call in the area's own transaction. */
  refer(area: string, ownerKey: string, stored: StoredBlob): void {
    const { db, clock } = this.options;
    if (!db.isInTransaction) throw new Error("a blob is referred to in the transaction of what refers to it");
    putReference(db, area, ownerKey, stored, clock());
  }

  /** Removes the file of that owner key. @returns whether it had one */
  forget(area: string, ownerKey: string): boolean {
    return deleteReference(this.options.db, area, ownerKey);
  }

  /** Moves a file to another area, under the same owner key. Joins the running transaction. */
  hand(ownerKey: string, { from, to }: { readonly from: string; readonly to: string }): void {
    moveReference(this.options.db, ownerKey, from, to);
  }

  /** Makes `to` refer to the file of `from`, too, if that has one. Joins the running transaction. */
  share(area: string, { from, to }: { readonly from: string; readonly to: string }): void {
    const { clock, db } = this.options;
    const blob = this.of(area, from);
    if (blob) putReference(db, area, to, blob, clock());
  }

  /** The file of that owner key. */
  of(area: string, ownerKey: string): Blob | undefined {
    return findReferenced(this.options.db, area, ownerKey);
  }

  /** The bytes of that owner key's file. @returns undefined if it has none. @throws BlobDamaged */
  open(area: string, ownerKey: string): BlobBody | undefined {
    const blob = this.of(area, ownerKey);
    if (!blob) return undefined;
    if (this.files.sizeOf(blob.digest) !== blob.sizeBytes)
      throw new BlobDamaged(`the file of ${area} ${ownerKey} is missing or torn: ${blob.digest}`);
    return { blob, file: Bun.file(this.files.pathOf(blob.digest), { type: blob.mediaType }) };
  }

  /** The number of files. */
  count(): number {
    return countBlobs(this.options.db);
  }

  /** All files in order of their digests, in batches: path, digest and size of each. */
  *batches(limit: number): Generator<{ path: string; digest: string; sizeBytes: number }[]> {
    for (let after = ""; ; ) {
      const some = blobsAfter(this.options.db, after, limit);
      const last = some.at(-1);
      if (!last) return;
      yield some.map(({ digest, sizeBytes }) => ({ path: this.files.pathOf(digest), digest, sizeBytes }));
      after = last.digest;
    }
  }

  /** The first references to a file, as `area key`. @returns undefined if the file no longer exists */
  ownersOf(digest: string): string[] | undefined {
    const { db } = this.options;
    if (!findBlob(db, digest)) return undefined;
    return referencesTo(db, digest, MAX_OWNERS).map(({ area, ownerKey }) => `${area} ${ownerKey}`);
  }

  /** At start: removes what a crashed process left behind. Only while no other process receives files. */
  removeLeftovers(): void {
    for (const { path, digest } of this.files.leftovers()) {
      if (digest !== undefined && !findBlob(this.options.db, digest)) this.files.remove(digest);
      this.files.unmark(path);
    }
  }

  /** Deletes files that nothing has referred to for the grace time. @returns how many */
  sweep(): number {
    const { db, clock, graceDays, crash } = this.options;
    const before = clock() - graceDays * 86_400_000;
    const digests = unreferencedBefore(db, before, BATCH).filter((digest) => !this.held.has(digest));
    if (digests.length === 0) return 0;
    const marks = digests.map((digest) => this.files.mark(digest));
    db.transaction(() => {
      for (const digest of digests) deleteBlob(db, digest);
    });
    crash("blobs.forgotten");
    for (const digest of digests) this.files.remove(digest);
    crash("blobs.unlinked");
    for (const mark of marks) this.files.unmark(mark);
    return digests.length;
  }

  private async sweepAll(signal: AbortSignal): Promise<void> {
    let removed = 0;
    for (let some = this.sweep(); some > 0 && !signal.aborted; some = this.sweep()) {
      removed += some;
      await Bun.sleep(0);
    }
    if (removed > 0) this.options.log.info("files that nothing refers to were removed", { files: removed });
  }

  private hold(digest: string): void {
    this.held.set(digest, (this.held.get(digest) ?? 0) + 1);
  }

  private letGo(digest: string, mark: string | undefined): void {
    const left = (this.held.get(digest) ?? 1) - 1;
    if (left > 0) this.held.set(digest, left);
    else this.held.delete(digest);
    if (mark === undefined) return;
    if (left === 0 && !findBlob(this.options.db, digest)) this.files.remove(digest);
    this.files.unmark(mark);
  }
}
