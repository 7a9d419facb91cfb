import { graphStamp } from "./files.ts";
import { CommitGraph } from "./reader.ts";

/** A repository's commit-graph over time: read again when its files were replaced. It lies in memory whole. */
export class CurrentGraph {
  private graph: CommitGraph | undefined;
  private mark: string | undefined;

  constructor(private readonly repoDir: string) {}

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
