import { CurrentGraph } from "../../git/graph/current.ts";
import type { CommitGraph } from "../../git/graph/reader.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";

/** A graph is released this long after its last use: it is held in memory whole, up to tens of MiB. */
const KEPT_MS = 10_000;

/** Commit-graphs of repositories in use. */
export class GraphCache {
  private readonly graphs: Cache<string, CurrentGraph>;
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(caches: CacheBudget) {
    // Even the largest is cached while in use: reading it again for every query would block everyone.
    this.graphs = caches.cache((graph) => Math.min(graph.sizeBytes, caches.largestBytes - graph.repoDir.length));
  }

  /** undefined if the bare repository has no usable graph. */
  of(repoDir: string): CommitGraph | undefined {
    const graph = this.graphs.get(repoDir) ?? new CurrentGraph(repoDir);
    const read = graph.read();
    // Its size may have changed.
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
