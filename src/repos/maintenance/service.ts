import { join } from "node:path";
import type { Database } from "../../db/database.ts";
import type { Consumer } from "../../events/delivery.ts";
import type { DomainEvent } from "../../events/types.ts";
import type { LanguageStatistics } from "../../git/languages/statistics.ts";
import type { Oid } from "../../git/objects/types.ts";
import { isCrowded } from "../../git/odb/crowding.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Schedules } from "../../jobs/schedules.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { folderBytes } from "../folders/bytes.ts";
import type { GitFolders } from "../folders/service.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoService } from "../service.ts";
import type { RepoStorage } from "../storage.ts";
import type { Repo } from "../types.ts";
import type { CommitGraphs } from "./graphs.ts";
import type { PackMaintenance } from "./packing.ts";
import { parseFolderPayload, unlessDeleted } from "./payload.ts";

const nothing = { languages: {}, primaryLanguage: "" };

/** Pushes in quick succession are processed together. */
const SETTLE_MS = 100;
const LANGUAGE_BYTES = 60;
const ENQUEUED_AT_ONCE = 200;
/** Trees that take longer to examine keep their old languages and licences: others wait for the thread. */
const DERIVING_MS = 5_000;

function unlessTimedOut(error: unknown): undefined {
  if (!(error instanceof JobTimedOut)) throw error;
}

export interface MaintenanceParts {
  readonly caches: CacheBudget;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly graphs: CommitGraphs;
  readonly jobs: JobQueue;
  readonly packing: PackMaintenance;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly schedules: Schedules;
  readonly storage: RepoStorage;
}

/**
 * Maintains what is derived from a repository's content: commit-graph, size, languages and licences. Runs in the
 * background after refs move; nothing waits for it. If many small packs have accumulated, it schedules a geometric
 * repack (packing.ts).
 */
export class MaintenanceService implements Consumer {
  readonly name = "maintenance";
  /** Recounting languages is cheap if the last count of most directories is known. */
  private readonly counted: Cache<number, LanguageStatistics>;

  constructor(private readonly parts: MaintenanceParts) {
    const { caches, folders, jobs, schedules } = parts;
    this.counted = caches.cache(({ bytes }) => Object.keys(bytes).length * LANGUAGE_BYTES);
    jobs.handle("repository.refresh", {
      parse: parseFolderPayload,
      run: ({ folderId }, { signal }) => unlessDeleted(folders, folderId, this.refresh(folderId, signal)),
      concurrency: 2,
      exclusionKey: ({ folderId }) => `refresh:${folderId}`,
    });
    jobs.handle("repositories.refresh-all", { parse: () => ({}), run: () => this.enqueueAll() });
    schedules.add({
      name: "sync_repo_licenses",
      cron: "@yearly",
      kind: "repositories.refresh-all",
      payload: {},
      isManual: true,
    });
  }

  handle(event: DomainEvent): void {
    if (event.kind === "repo.forked") this.enqueue(event.payload.forkId);
    const matters =
      event.kind === "refs.changed" || (event.kind === "repo.edited" && event.payload.fields.includes("defaultBranch"));
    // The code folder has the repository's id.
    if (matters && event.repoId !== undefined) this.enqueue(event.repoId);
    if (event.kind === "folder.refs-changed") this.enqueue(event.payload.folderId);
  }

  /** Maintains a repository soon; several requests become one job. */
  enqueue(folderId: number): void {
    this.parts.jobs.enqueue(
      "repository.refresh",
      { folderId },
      { uniqueKey: `repository.refresh:${folderId}`, delayMs: SETTLE_MS },
    );
  }

  /** In batches: there may be a hundred thousand. */
  private async enqueueAll(): Promise<void> {
    const { db, folders } = this.parts;
    const all = folders.all().filter(({ isEmpty, kind }) => kind === "code" && !isEmpty);
    for (let at = 0; at < all.length; at += ENQUEUED_AT_ONCE) {
      db.transaction(() => {
        for (const { id } of all.slice(at, at + ENQUEUED_AT_ONCE)) this.enqueue(id);
      });
      await nextTurn();
    }
  }

  private async refresh(folderId: number, signal: AbortSignal): Promise<void> {
    const folder = this.parts.folders.byId(folderId);
    // Taken out of use meanwhile: nothing to do.
    if (!folder) return;
    const repoDir = this.parts.storage.dirOf(folderId);
    // The graph first: history walks of pages opened now wait for it.
    await this.parts.graphs.bring(folderId, signal);
    const repo = folder.kind === "code" ? this.parts.repos.byId(folder.repoId) : undefined;
    if (repo) await this.deriveFacts(repo, repoDir, signal);
    else this.parts.folders.setSize(folderId, await folderBytes(join(repoDir, "objects")));
    if (isCrowded(repoDir)) this.parts.packing.enqueueGeometricRepack(folderId);
  }

  private async deriveFacts(repo: Repo, repoDir: string, signal: AbortSignal): Promise<void> {
    const tip = this.parts.refs.find(repo.id, `refs/heads/${repo.defaultBranch}`)?.oid;
    const counted = tip === undefined ? {} : await this.countCommits(repoDir, tip, signal);
    const languages = tip === undefined ? nothing : await this.countLanguages(repo, repoDir, tip, signal);
    // The creator's choice stands until there is a branch to examine.
    const licenses = tip === undefined ? {} : await this.findLicenses(repo, repoDir, tip, signal);
    const sizeBytes = await folderBytes(join(repoDir, "objects"));
    // If the branch moved meanwhile, the job enqueued by that move examines it.
    this.parts.repos.setDerived(repo.id, { sizeBytes, ...counted, ...languages, ...licenses });
  }

  private async countCommits(repoDir: string, tip: Oid, signal: AbortSignal) {
    const input = { repoDir, tips: [tip], skip: 0, limit: 0, count: true };
    const counted = await this.parts.pool
      .run("git.log", input, { lane: "maintenance", signal, timeoutMs: DERIVING_MS })
      .catch(unlessTimedOut);
    return counted?.total === undefined ? {} : { countedTip: tip, commitCount: counted.total };
  }

  private async findLicenses(repo: Repo, repoDir: string, revision: Oid, signal: AbortSignal) {
    const input = { repoDir, revision, known: repo.licenses };
    const licenses = await this.parts.pool
      .run("repository.licenses", input, { lane: "maintenance", signal, timeoutMs: DERIVING_MS })
      .catch(unlessTimedOut);
    return licenses ? { licenses } : {};
  }

  private async countLanguages(repo: Repo, repoDir: string, tip: Oid, signal: AbortSignal) {
    const previous = this.counted.get(repo.id);
    const input = previous ? { repoDir, revision: tip, previous } : { repoDir, revision: tip };
    const counted = await this.parts.pool
      .run("git.languages", input, { lane: "maintenance", signal, timeoutMs: DERIVING_MS })
      .catch(unlessTimedOut);
    if (!counted) return {};
    this.counted.set(repo.id, counted);
    return { languages: counted.bytes, primaryLanguage: Object.keys(counted.bytes)[0] ?? "" };
  }
}
