import { graphMark } from "../../git/graph/files.ts";
import { CommitGraph } from "../../git/graph/reader.ts";

/** A graph is let go this long after it was last used: it lies in memory whole, up to tens of MiB. */
const KEPT_MS = 10_000;
const MOST_KEPT = 3;

interface Kept {
  readonly graph: CommitGraph | undefined;
  readonly mark: string;
  timer: ReturnType<typeof setTimeout>;
}

/** Commit-graphs of the repositories that are being looked at, read again when the files were replaced. */
export class GraphCache {
  private readonly kept = new Map<string, Kept>();

  /** undefined: the bare repository has no graph that can be used. */
  of(repoDir: string): CommitGraph | undefined {
    const mark = graphMark(repoDir);
    const known = this.kept.get(repoDir);
    const graph = known?.mark === mark ? known.graph : CommitGraph.open(repoDir);
    this.drop(repoDir);
    const timer = setTimeout(() => this.drop(repoDir), KEPT_MS);
    timer.unref();
    this.kept.set(repoDir, { graph, mark, timer });
    const oldest = this.kept.keys().next();
    if (this.kept.size > MOST_KEPT && !oldest.done) this.drop(oldest.value);
    return graph;
  }

  private drop(repoDir: string): void {
    const known = this.kept.get(repoDir);
    if (!known) return;
    clearTimeout(known.timer);
    this.kept.delete(repoDir);
  }
}
