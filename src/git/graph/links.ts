import { CorruptObject } from "../errors.ts";
import { type CommitLinks as Links, parseCommitLinks } from "../objects/commit.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { CommitGraph } from "./reader.ts";

export type { Links };

/** Tree, parents and time of commits, from the commit-graph if it has the commit, else from the object store. */
export class CommitLinks {
  constructor(
    private readonly store: ObjectSource,
    readonly graph?: CommitGraph,
  ) {}

  /** Opens the links of the bare repository at `repoDir`, whose objects `store` reads. */
  static open(repoDir: string, store: ObjectSource): CommitLinks {
    return new CommitLinks(store, CommitGraph.open(repoDir));
  }

  /**
   * Returns undefined when there is no such object.
   * @throws CorruptObject when the object is not a commit
   */
  get(oid: Oid): Links | undefined {
    const graph = this.graph;
    const position = graph ? graph.positionOf(oid) : -1;
    if (!graph || position < 0) return readLinks(this.store, oid);
    return {
      tree: graph.treeAt(position),
      parents: graph.parentsAt(position).map((parent) => graph.oidAt(parent)),
      committerTime: graph.timeAt(position),
    };
  }
}

/**
 * Reads tree, parents and time of a commit from its stored object; undefined when there is no such object.
 * @throws CorruptObject when the object is not a commit
 */
export function readLinks(store: ObjectSource, oid: Oid): Links | undefined {
  const object = store.read(oid);
  if (!object) return undefined;
  if (object.type !== "commit") throw new CorruptObject(`${oid} is a ${object.type}, not a commit`);
  return parseCommitLinks(object.data);
}
