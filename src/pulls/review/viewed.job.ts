import { cachedRepository } from "../../git/cached-repository.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import { oldTreeOf, treeOf } from "../../git/diff/diff.job.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";

export interface ViewedInput {
  readonly repoDir: string;
  readonly from: Oid;
  readonly to: Oid;
  /** Paths with the content they had when they were viewed. */
  readonly marks: readonly (readonly [path: string, oid: Oid])[];
}

const MAX_FILES = 20_000;

/** How many files of a change are unchanged since they were viewed. */
export function run({ from, marks, repoDir, to }: ViewedInput, context: JobContext): number {
  const { store } = cachedRepository(context, repoDir);
  const { files } = changedFiles(store, oldTreeOf(store, from, to), treeOf(store, to), { maxFiles: MAX_FILES });
  const seen = new Map(marks);
  return files.filter(({ newOid, newPath }) => seen.get(newPath) === (newOid ?? "")).length;
}
