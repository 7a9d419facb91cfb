import { isSiteAdmin, type Principal } from "../access/principal.ts";
import type { BlobService } from "../blobs/service.ts";
import type { Database } from "../db/database.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { JobRun } from "../jobs/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { isUnreadable } from "../kernel/disk.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { type FolderPayload, parseFolderPayload, unlessDeleted } from "../repos/maintenance/payload.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { countFindings, countScrubs, listScrubs, recordScrub } from "./store.ts";
import type { Examined, Finding, ScrubRecord } from "./types.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Enqueues a scrub of every git directory, and of the uploaded files. */
    "integrity.scrub-all": object;
    /** Verifies the checksums of everything in a git directory. */
    "integrity.scrub-repository": FolderPayload;
    /** The same for uploaded files. */
    "integrity.scrub-blobs": object;
  }
}

export interface IntegrityOptions {
  readonly schedule: "weekly" | "monthly" | "never";
  /** The share of one core that a scrub may use, above 0, up to 1. */
  readonly coreShare: number;
}

export interface ExamineOptions {
  /** Up to 1. */
  readonly coreShare?: number;
  readonly signal?: AbortSignal;
  /** @param percent 0 to 100 */
  readonly onProgress?: (text: string, percent: number) => void;
}

const CRON = { weekly: "30 1 * * 0", monthly: "30 1 1 * *" };
/** At a quarter of a core, some 10 MiB per second are read. */
const TIME_LIMIT_MS = 3 * 24 * 3_600_000;
const FILES_AT_ONCE = 200;
const NO_HITS = { objects: [], objectCount: 0, lostCount: 0, refs: [], refCount: 0, owners: [] };

/** Finds silently corrupted data before someone needs it. */
export class IntegrityService {
  constructor(
    private readonly db: Database,
    private readonly folders: GitFolders,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly blobs: BlobService,
    private readonly pool: WorkerPool,
    private readonly jobs: JobQueue,
    schedules: Schedules,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly options: IntegrityOptions,
  ) {
    // One at a time, whatever it reads: they share the disk.
    const paced = { timeLimitMs: TIME_LIMIT_MS, maxTries: 3, exclusionKey: () => "integrity" };
    jobs.handle("integrity.scrub-all", { parse: () => ({}), run: () => this.enqueueAll() });
    jobs.handle("integrity.scrub-repository", {
      ...paced,
      parse: parseFolderPayload,
      run: ({ folderId }, run) => unlessDeleted(folders, folderId, this.scrubFolder(folderId, run)),
    });
    jobs.handle("integrity.scrub-blobs", { ...paced, parse: () => ({}), run: (_, run) => this.scrubBlobs(run) });
    if (options.schedule !== "never")
      schedules.add({
        name: "scrub",
        cron: CRON[options.schedule],
        kind: "integrity.scrub-all",
        payload: {},
      });
  }

  /** Results of the last scrubs: those with findings first, then the oldest. @throws Forbidden */
  list(principal: Principal, { limit, offset }: Paging): Slice<ScrubRecord> {
    requireSiteAdmin(principal);
    return { items: listScrubs(this.db, limit, offset), total: countScrubs(this.db) };
  }

  /** The number of findings in the last scrubs, and the name of the first; undefined: none. @throws Forbidden */
  worst(principal: Principal): { readonly count: number; readonly name: string } | undefined {
    requireSiteAdmin(principal);
    const [first] = listScrubs(this.db, 1, 0);
    const [finding] = first?.findings ?? [];
    if (!finding) return undefined;
    return { count: countFindings(this.db), name: [first?.repository ?? "blobs", finding.file].join(": ") };
  }

  /** Requests a scrub of everything soon. @throws Forbidden */
  scrubAll(principal: Principal): void {
    requireSiteAdmin(principal);
    this.jobs.enqueue("integrity.scrub-all", {}, { uniqueKey: "integrity.scrub-all" });
  }

  /** Verifies a git directory without recording the result. @returns undefined if it does not exist */
  async examineFolder(folderId: number, options: ExamineOptions = {}): Promise<Examined | undefined> {
    if (!this.folders.byId(folderId)) return undefined;
    const refs = this.refs.list(folderId).map(({ name, oid }) => ({ name, oid }));
    const job = this.pool.start(
      "git.scrub",
      { repoDir: this.storage.dirOf(folderId), refs, coreShare: options.coreShare ?? 1 },
      {
        lane: "paced",
        ...(options.signal ? { signal: options.signal } : {}),
        onNote: (note) => {
          const [done = 0, total = 1] = note.split("/").map(Number);
          options.onProgress?.(`${note} bytes`, Math.floor((100 * done) / total));
        },
      },
    );
    job.end();
    const report = await job.result.catch((error: unknown) => {
      // A local disk error concerns only this repository.
      if (error instanceof Error && isUnreadable(error)) return unreadable(error.message);
      throw error;
    });
    const { objects, bytes, findings } = report;
    return {
      items: objects,
      bytes,
      findings: findings.map(({ file, message, ...hits }) => ({ file, message, hits: { ...NO_HITS, ...hits } })),
    };
  }

  /** Verifies all uploaded files without recording the result. */
  async examineBlobs(options: ExamineOptions = {}): Promise<Examined> {
    const findings: Finding[] = [];
    const total = this.blobs.count();
    let [items, bytes] = [0, 0];
    for (const batch of this.blobs.batches(FILES_AT_ONCE)) {
      const input = { files: batch, coreShare: options.coreShare ?? 1 };
      const { signal } = options;
      const troubles = await this.pool.run("blobs.verify", input, { lane: "paced", ...(signal ? { signal } : {}) });
      for (const { digest, message } of troubles) {
        const owners = this.blobs.ownersOf(digest);
        // It may have been deleted during the scrub.
        if (owners) findings.push({ file: digest, message, hits: { ...NO_HITS, owners } });
      }
      items += batch.length;
      bytes += batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      options.onProgress?.(`${items} files`, Math.min(100, Math.floor((100 * items) / Math.max(1, total))));
    }
    return { items, bytes, findings };
  }

  private enqueueAll(): void {
    this.db.transaction(() => {
      this.jobs.enqueue("integrity.scrub-blobs", {}, { uniqueKey: "integrity.scrub-blobs" });
      for (const { id: folderId } of this.folders.all())
        this.jobs.enqueue("integrity.scrub-repository", { folderId }, { uniqueKey: `integrity.scrub:${folderId}` });
    });
  }

  private async scrubFolder(folderId: number, run: JobRun): Promise<void> {
    const examined = await this.examineFolder(folderId, this.paced(run));
    if (examined) this.record(folderId, examined);
  }

  private async scrubBlobs(run: JobRun): Promise<void> {
    this.record(null, await this.examineBlobs(this.paced(run)));
  }

  private paced(run: JobRun): ExamineOptions {
    return {
      coreShare: this.options.coreShare,
      signal: run.signal,
      onProgress: (text, percent) => run.progress(text, percent),
    };
  }

  private record(folderId: number | null, examined: Examined): void {
    this.db.transaction(() => {
      if (folderId === null || this.folders.byId(folderId)) recordScrub(this.db, folderId, examined, this.clock());
    });
    for (const { file, message, hits } of examined.findings)
      this.log.warn("a stored file is damaged", {
        ...(folderId === null ? {} : { folder: folderId }),
        file,
        message,
        objects: hits.objectCount,
        lost: hits.lostCount,
        refs: hits.refCount,
      });
  }
}

const unreadable = (reason: string) => ({
  objects: 0,
  bytes: 0,
  findings: [{ file: "objects", message: `it cannot be read to its end: ${reason}`, ...NO_HITS }],
});

function requireSiteAdmin(principal: Principal): void {
  if (!isSiteAdmin(principal)) throw new Forbidden("access.site-admin-required");
}
