import { graphStamp } from "./files.ts";
import { CommitGraph } from "./reader.ts";

/** A repository's current commit-graph, held entirely in memory and read again when its files are replaced. */
export class CurrentGraph {
  private graph: CommitGraph | undefined;
  private mark: string | undefined;

  constructor(readonly repoDir: string) {}

  /** Memory used, in bytes. */
  get sizeBytes(): number {
    return this.graph?.layers.reduce((sum, layer) => sum + layer.sizeBytes, 0) ?? 0;
  }

  /** Returns undefined when there is no usable graph. */
  read(): CommitGraph | undefined {
    const mark = graphStamp(this.repoDir);
    if (mark !== this.mark) {
      // A push adds a small layer on top of the large one, which has not changed.
      this.graph = CommitGraph.open(this.repoDir, this.graph?.layers);
      this.mark = mark;
    }
    return this.graph;
  }
}
