import type { JobContext } from "../../workers/job.ts";
import { Commits } from "../graph/commits.ts";
import type { Oid } from "../objects/types.ts";
import { Overlay } from "../odb/overlay.ts";
import { ObjectStore } from "../odb/store.ts";
import { writeObjects } from "../odb/write.ts";
import { treeAttributes } from "./attributes.ts";
import { type MergeCommitsOptions, mergeCommits } from "./merge-commits.ts";
import type { MergeResult } from "./result.ts";

export interface MergeInput {
  /** The bare repository. */
  readonly repoDir: string;
  /** Commit ids. */
  readonly ours: Oid;
  readonly theirs: Oid;
  readonly options?: Omit<MergeCommitsOptions, "attributesOf" | "signal">;
  /** When to store the result's objects: "always", only when it is "clean", or "never" (the default). */
  readonly write?: "always" | "clean" | "never";
}

/** Merges two commits, using the `.gitattributes` of ours, and stores the merged tree if requested. Moves no ref. */
export async function run(input: MergeInput, context: Pick<JobContext, "signal">): Promise<MergeResult> {
  const store = ObjectStore.open(input.repoDir);
  try {
    const overlay = new Overlay(store);
    const commits = Commits.open(input.repoDir, store);
    const result = mergeCommits(commits, overlay, input.ours, input.theirs, {
      ...input.options,
      attributesOf: treeAttributes(store, commits.treeOf(commits.positionOf(input.ours))),
      signal: context.signal,
    });
    if (input.write === "always" || (input.write === "clean" && result.clean))
      writeObjects(input.repoDir, overlay.made(), { isStored: (oid) => store.has(oid) });
    return result;
  } finally {
    store.close();
  }
}
