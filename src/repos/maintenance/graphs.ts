import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { GitFolders } from "../folders/service.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";

/** The graph of 80,000 commits takes six seconds. */
const PATIENCE_MS = 20_000;

/**
 * The commit-graphs of repositories as pushes leave them. Without one, a walk reads every commit that it passes: whoever is
 * about to walk far after a push has it made first.
 */
export class CommitGraphs {
  /** The version of the refs for which it was made. */
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

  /** For who walks far and can do so without: waits for the graph, but not behind a long repack. */
  async awaitSoon(folderId: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, PATIENCE_MS);
    // What keeps it from being made is told by the job that follows each push.
    await Promise.race([this.bring(folderId).catch(() => {}), late.promise]);
    clearTimeout(timer);
  }

  /** Brings the graph to the refs as they are; nothing to do where it was since they moved. */
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
