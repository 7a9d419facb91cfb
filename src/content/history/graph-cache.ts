import { CurrentGraph } from "../../git/graph/current.ts";
import type { CommitGraph } from "../../git/graph/reader.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";

/** A graph is let go this long after it was last used: it lies in memory whole, up to tens of MiB. */
const KEPT_MS = 10_000;

/** Commit-graphs of the repositories that are being examined. */
export class GraphCache {
  private readonly graphs: Cache<string, CurrentGraph>;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(caches: CacheBudget) {
    // The largest is cached, too, while it is in use: reading it again for every question would hold everyone up.
    this.graphs = caches.cache((graph) => Math.min(graph.sizeBytes, caches.largestBytes - graph.repoDir.length));
  }

  /** undefined: the bare repository has no graph that can be used. */
  of(repoDir: string): CommitGraph | undefined {
    const graph = this.graphs.get(repoDir) ?? new CurrentGraph(repoDir);
    const read = graph.read();
    // It may weigh something else now.
    this.graphs.set(repoDir, graph);
    clearTimeout(this.timers.get(repoDir));
    const timer = setTimeout(() => {
      this.timers.delete(repoDir);
      this.graphs.delete(repoDir);
    }, KEPT_MS);
    timer.unref();
    this.timers.set(repoDir, timer);
    return read;
  }
}
