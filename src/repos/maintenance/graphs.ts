import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { GitFolders } from "../folders/service.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";

/** Building the graph of 80,000 commits takes six seconds. */
const MAX_WAIT_MS = 20_000;

/**
 * The commit-graphs of repositories after pushes. Without one, a walk reads every commit it passes, so anything about
 * to walk far after a push has the graph built first.
 */
export class CommitGraphs {
  /** The refs version each graph was built for. */
  private readonly made: Cache<number, number>;
  private readonly making = new InFlight<string, void>();

  constructor(
    private readonly folders: GitFolders,
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.made = caches.cache(() => 8);
  }

  /** For long walks that can do without the graph: waits for it, but not behind a long repack. */
  async awaitSoon(folderId: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, MAX_WAIT_MS);
    // If it fails, the job that follows each push reports why.
    await Promise.race([this.bring(folderId).catch(() => {}), late.promise]);
    clearTimeout(timer);
  }

  /** Builds the graph for the current refs; does nothing if it is up to date. */
  async bring(folderId: number, signal?: AbortSignal): Promise<void> {
    const version = this.folders.byId(folderId)?.refsVersion;
    if (version === undefined || this.made.get(folderId) === version) return;
    await this.making.once(`${folderId} ${version}`, async () => {
      const tips = this.refs.tips(folderId);
      const input = { repoDir: this.storage.dirOf(folderId), tips };
      const options = { lane: "maintenance", ...(signal ? { signal } : {}) } as const;
      if (tips !== "") await this.pool.run("git.graph", input, options);
      this.made.set(folderId, version);
    });
  }
}
