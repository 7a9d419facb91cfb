import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { GraphInput, GraphPage } from "./graph.job.ts";

const ROW_BYTES = 400;

/** The graph of branches. It depends only on object ids, so pages are cached. */
export class GraphService {
  private readonly pages: Cache<string, GraphPage>;

  constructor(
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.pages = caches.cache(({ rows }) => rows.length * ROW_BYTES);
  }

  /** Commits reachable from the tips, children before parents, with the lines beside them. */
  async page({ repo }: SeenRepo, request: Omit<GraphInput, "repoDir">): Promise<GraphPage> {
    const key = `${repo.id} ${JSON.stringify(request)}`;
    const cached = this.pages.get(key);
    if (cached) return cached;
    const input = { ...request, repoDir: this.storage.dirOf(repo.id) };
    const page = await this.pool.run("content.graph", input, { lane: "interactive" });
    this.pages.set(key, page);
    return page;
  }
}
