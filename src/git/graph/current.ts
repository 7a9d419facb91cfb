import { graphStamp } from "./files.ts";
import { CommitGraph } from "./reader.ts";

/** A repository's commit-graph over time: read again when its files were replaced. It lies in memory whole. */
export class CurrentGraph {
  private graph: CommitGraph | undefined;
  private mark: string | undefined;

  constructor(readonly repoDir: string) {}

  /** What it takes of memory. */
  get sizeBytes(): number {
    return this.graph?.layers.reduce((sum, layer) => sum + layer.sizeBytes, 0) ?? 0;
  }

  /** Undefined: there is none that can be used. */
  read(): CommitGraph | undefined {
    const mark = graphStamp(this.repoDir);
    if (mark !== this.mark) {
      // A push puts a small layer on the large one, which is still the same.
      this.graph = CommitGraph.open(this.repoDir, this.graph?.layers);
      this.mark = mark;
    }
    return this.graph;
  }
}
