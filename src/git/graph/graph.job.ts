import type { JobContext } from "../../workers/job.ts";
import { isOid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import type { GraphScope } from "./rows.ts";
import { type GraphWritten, writeCommitGraph } from "./writer.ts";

export interface GraphInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** Ids of commits and tags whose history the graph must contain, one per line. */
  readonly tips: string;
  /** "append" (the default) is for pushes; maintenance uses "whole" to merge a chain, and after a prune "reachable". */
  readonly scope?: GraphScope;
}

/** A third of a larger one: 45 MiB less at peak for 4 % more CPU on a history of 82,000 commits, none on 19,000. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Brings a repository's commit-graph up to date. */
export async function run(input: GraphInput, context: JobContext): Promise<GraphWritten> {
  const store = ObjectStore.open(input.repoDir, { cacheBytes: CACHE_BYTES });
  try {
    return await writeCommitGraph(input.repoDir, store, input.tips.split("\n").filter(isOid), {
      scope: input.scope ?? "append",
      signal: context.signal,
      crashPoint: context.crash,
    });
  } finally {
    store.close();
  }
}
