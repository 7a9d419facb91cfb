import { CurrentGraph } from "../../git/graph/current.ts";
import type { CommitGraph } from "../../git/graph/reader.ts";

/** A graph is let go this long after it was last used: it lies in memory whole, up to tens of MiB. */
const KEPT_MS = 10_000;
const MAX_KEPT = 3;

interface Kept {
  readonly graph: CurrentGraph;
  timer: ReturnType<typeof setTimeout>;
}

/** Commit-graphs of the repositories that are being examined. */
export class GraphCache {
  private readonly kept = new Map<string, Kept>();

  /** undefined: the bare repository has no graph that can be used. */
  of(repoDir: string): CommitGraph | undefined {
    const graph = this.kept.get(repoDir)?.graph ?? new CurrentGraph(repoDir);
    this.drop(repoDir);
    const timer = setTimeout(() => this.drop(repoDir), KEPT_MS);
    timer.unref();
    this.kept.set(repoDir, { graph, timer });
    const oldest = this.kept.keys().next();
    if (this.kept.size > MAX_KEPT && !oldest.done) this.drop(oldest.value);
    return graph.read();
  }

  private drop(repoDir: string): void {
    const known = this.kept.get(repoDir);
    if (!known) return;
    clearTimeout(known.timer);
    this.kept.delete(repoDir);
  }
}
