import { changedFiles } from "../../git/diff/changes.ts";
import { Budget, diffOfFile } from "../../git/diff/file-diff.ts";
import { CorruptObject } from "../../git/errors.ts";
import { parseCommitLinks } from "../../git/objects/commit.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";

/** A file touched by a commit. A rename is a removal and an addition. */
export interface TouchedFile {
  /** A name as decoded by `decodeName`. */
  readonly path: string;
  readonly status: "added" | "removed" | "modified";
}

/** The changes of a commit relative to its first parent, or everything in it if it has none. */
export interface CommitChanges {
  readonly files: readonly TouchedFile[];
  /** Lines, as `git diff --shortstat` counts them. */
  readonly additions: number;
  readonly deletions: number;
}

/** Files beyond this are not listed: no client shows them, and a first commit may have a hundred thousand. */
const MAX_FILES = 10_000;

/** Lines are not counted in larger files, nor beyond this total. */
const LIMITS = { maxFileBytes: 8 * 1024 * 1024, maxBytes: 64 * 1024 * 1024, maxFileLines: 0, words: false, context: 0 };

/** @throws CorruptObject if an object is missing */
export function changesOf(store: ObjectSource, commit: Oid): CommitChanges {
  const { tree, parents } = linksOf(store, commit);
  const parent = parents[0];
  const parentTree = parent === undefined ? undefined : linksOf(store, parent).tree;
  const { files: changed } = changedFiles(store, parentTree, tree, { maxFiles: MAX_FILES });
  const budget = new Budget(LIMITS);
  const files: TouchedFile[] = [];
  let additions = 0;
  let deletions = 0;
  let renames = false;
  for (const change of changed) {
    const counts = diffOfFile(store, change, LIMITS, budget);
    additions += counts.additions;
    deletions += counts.deletions;
    if (change.status === "renamed") {
      renames = true;
      files.push({ path: change.oldPath, status: "removed" }, { path: change.newPath, status: "added" });
    } else if (change.status === "added" || change.status === "copied")
      files.push({ path: change.newPath, status: "added" });
    else if (change.status === "deleted") files.push({ path: change.oldPath, status: "removed" });
    else files.push({ path: change.newPath, status: "modified" });
  }
  if (renames) files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files, additions, deletions };
}

function linksOf(store: ObjectSource, commit: Oid) {
  const object = store.read(commit);
  if (object?.type !== "commit") throw new CorruptObject(`commit ${commit} is missing`);
  return parseCommitLinks(object.data);
}
