import { join } from "node:path";
import type { Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Consumer } from "../events/delivery.ts";
import type { DomainEvent } from "../events/types.ts";
import { encodeName } from "../git/objects/names.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { type Failure, ValidationFailed } from "../kernel/errors.ts";
import type { Paging } from "../kernel/paging.ts";
import type { LiveHub } from "../live/hub.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { ALL_REPOS } from "../repos/live.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import { JobTimedOut, type WorkerPool } from "../workers/pool.ts";
import { MAX_QUERY, readPattern } from "./pattern.ts";
import type { SearchInput } from "./search.job.ts";
import { createIndex, hasIndex, removeIndex } from "./store.ts";
import { matchQuery } from "./trigrams.ts";
import type { CodeQuery, FoundFiles } from "./types.ts";

export interface SearchOptions {
  readonly dataDir: string;
  readonly isEnabled: boolean;
  /** Larger files are not searched. */
  readonly maxFileBytes: number;
}

export interface SearchParts {
  readonly access: AccessControl;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly jobs: JobQueue;
  readonly live: LiveHub;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Updates the code index to a repository's default branch, or removes a deleted repository from it. */
    "search.index": { readonly repoId: number };
    /** Creates the code index and enqueues every repository for indexing. */
    "search.rebuild": Record<string, never>;
  }
}

/** Pushes in quick succession are indexed together. */
const SETTLE_MS = 500;
/** Number of jobs enqueued in one transaction. */
const BATCH = 200;
/** An expression that is still running is ended along with its thread. */
const TIMEOUT_MS = 3_000;

/** Searches the code of default branches, using an index that is updated by pushes, and the files it names. */
export class SearchService implements Consumer {
  readonly name = "search";
  private readonly indexPath: string;

  constructor(
    private readonly parts: SearchParts,
    private readonly options: SearchOptions,
  ) {
    this.indexPath = join(options.dataDir, "search.db");
    const { jobs } = parts;
    jobs.handle("search.index", {
      parse: parseRepoPayload,
      run: ({ repoId }, { signal }) => this.index(repoId, signal),
      // Only one may write at a time.
      exclusionKey: () => "search",
    });
    jobs.handle("search.rebuild", {
      parse: () => ({}),
      run: () => this.rebuild(),
      exclusionKey: () => "search",
    });
  }

  /** Whether code can be searched at all. */
  get isEnabled(): boolean {
    return this.options.isEnabled;
  }

  handle(event: DomainEvent): void {
    const { kind, repoId } = event;
    if (!this.isEnabled || repoId === undefined) return;
    const matters =
      kind === "refs.changed" ||
      kind === "repo.deleted" ||
      kind === "repo.restored" ||
      (kind === "repo.edited" && event.payload.fields.includes("defaultBranch"));
    if (matters) this.enqueue(repoId);
  }

  /** Requests an index if there is none: at the first start, and when someone deleted it. */
  ensureIndex(): void {
    if (this.isEnabled && !hasIndex(this.indexPath))
      this.parts.jobs.enqueue("search.rebuild", {}, { uniqueKey: "search.rebuild" });
  }

  /** Deletes the index. A running server recreates it within a minute, otherwise the next start does. */
  discardIndex(): void {
    removeIndex(this.indexPath);
  }

  /**
   * Matching files on a repository's default branch.
   * @throws ValidationFailed if the expression is invalid or takes too long
   */
  inRepo({ repo }: SeenRepo, query: CodeQuery, paging: Paging): Promise<FoundFiles> {
    return this.find({ repoId: repo.id, repoDir: this.parts.storage.dirOf(repo.id) }, query, paging);
  }

  /**
   * Matching files on the default branches of all repositories whose code the principal may read.
   * @throws ValidationFailed if the expression is invalid, takes too long, or is too unspecific for so many files
   */
  everywhere(principal: Principal, query: CodeQuery, paging: Paging): Promise<FoundFiles> {
    const { access, storage } = this.parts;
    const isVisible = access.repoCondition({ unit: "code" });
    return this.find({ isVisible, params: access.params(principal), root: storage.root }, query, paging);
  }

  /** Like `everywhere`, among the repositories of an account; the caller must have checked that it is visible. */
  ofOwner(principal: Principal, owner: User, query: CodeQuery, paging: Paging): Promise<FoundFiles> {
    const { access, storage } = this.parts;
    const isVisible = `repositories.owner_id = $codeOwner AND ${access.repoCondition({ unit: "code" })}`;
    const params = { ...access.params(principal), codeOwner: owner.id };
    return this.find({ isVisible, params, root: storage.root }, query, paging);
  }

  private async find(scope: SearchInput["scope"], query: CodeQuery, { limit, offset }: Paging): Promise<FoundFiles> {
    const { text, mode, language, path } = query;
    if (text.length > MAX_QUERY) throw refused("too-long");
    const pattern = readPattern(text, mode);
    const isKnown = pattern && (pattern.isLiteral || (await import("./expression.ts")).isLinear(text));
    if (!isKnown) throw refused("bad-expression");
    if (!("repoId" in scope) && matchQuery(pattern.required) === undefined) throw refused("too-vague");
    try {
      return await this.parts.pool.run(
        "search.code",
        {
          indexPath: this.indexPath,
          mainPath: this.parts.db.path,
          pattern,
          language,
          path: path === undefined ? undefined : encodeName(path),
          scope,
          skip: offset,
          limit,
        },
        { timeoutMs: TIMEOUT_MS },
      );
    } catch (error) {
      if (error instanceof JobTimedOut) throw refused("too-slow");
      throw error;
    }
  }

  private async rebuild(): Promise<void> {
    createIndex(this.indexPath);
    const { db, folders } = this.parts;
    const ids = folders.all().flatMap(({ kind, repoId }) => (kind === "code" ? [repoId] : []));
    for (let from = 0; from < ids.length; from += BATCH) {
      db.transaction(() => {
        for (const id of ids.slice(from, from + BATCH)) this.enqueue(id);
      });
      await Bun.sleep(0);
    }
  }

  private enqueue(repoId: number): void {
    this.parts.jobs.enqueue("search.index", { repoId }, { uniqueKey: `search.index:${repoId}`, delayMs: SETTLE_MS });
  }

  private async index(repoId: number, signal: AbortSignal): Promise<void> {
    // It is about to be created, including this repository.
    if (!hasIndex(this.indexPath)) return;
    const { live, pool, refs, repos, storage } = this.parts;
    const repo = repos.byId(repoId);
    const commit = repo && refs.find(repoId, BRANCHES + repo.defaultBranch)?.oid;
    const input = { indexPath: this.indexPath, repoId, maxFileBytes: this.options.maxFileBytes };
    const content = repo && commit !== undefined ? { repoDir: storage.dirOf(repoId), commit } : {};
    try {
      await pool.run("search.index", { ...input, ...content }, { lane: "maintenance", signal });
      live.publish(ALL_REPOS, { event: "code.indexed", data: String(repoId), repoId, unit: "code" });
    } catch (error) {
      // Deleted meanwhile: a separate job removes it.
      if (repos.byId(repoId)) throw error;
    }
  }
}

function refused(why: string): Failure {
  return new ValidationFailed(`search.${why}`, { field: "q" });
}

function parseRepoPayload(payload: unknown): { repoId: number } {
  if (typeof payload !== "object" || payload === null || !("repoId" in payload) || typeof payload.repoId !== "number")
    throw new Error("the job names no repository");
  return { repoId: payload.repoId };
}
