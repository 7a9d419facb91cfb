import { cachedRepository } from "../../git/cached-repository.ts";
import { changedFiles } from "../../git/diff/changes.ts";
import { Budget, diffOfFile } from "../../git/diff/file-diff.ts";
import { CorruptObject } from "../../git/errors.ts";
import type { Commits } from "../../git/graph/commits.ts";
import { aheadBehind, mergeBases } from "../../git/history/ancestry.ts";
import { treeAttributes } from "../../git/merge/attributes.ts";
import { mergeCommits, TooManyBases } from "../../git/merge/merge-commits.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { Overlay } from "../../git/odb/overlay.ts";
import { compileGlob } from "../../git/patterns/rule-glob.ts";
import type { JobContext } from "../../workers/job.ts";
import type { PullCheck, PullStatus } from "../types.ts";

export interface ExamineInput {
  /** The bare repository, which has both commits. */
  readonly repoDir: string;
  readonly base: Oid;
  readonly head: Oid;
  /** Globs of the base's rule, in lower case. */
  readonly protectedFiles: readonly string[];
  /** Changes of white space are no conflicts. */
  readonly ignoreSpaceChange: boolean;
}

/** So many paths are named. */
const NAMED_PATHS = 10;

/** Lines are counted, nothing is kept to be shown; larger files and what is beyond all that have no lines. */
const LIMITS = {
  maxFileBytes: 32 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxFileLines: 0,
  words: false,
  context: 0,
};
const MAX_FILES = 100_000;

export type ExamineContext = Pick<JobContext, "cached" | "signal">;

/** All that follows from the two commits of a pull request (contract pulls.md 8). Stores nothing. */
export function run(
  { repoDir, base, head, protectedFiles, ignoreSpaceChange }: ExamineInput,
  context: ExamineContext,
): PullCheck {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const commits = repository.commits();
  const mergeBase = mergeBases(commits, base, head)[0];
  // The left one is the head: what only it has is ahead.
  const distance = aheadBehind(commits, head, base);
  const size =
    mergeBase === undefined
      ? NOTHING
      : measured(store, treeOf(commits, mergeBase), treeOf(commits, head), protectedFiles);
  const { status, conflicts } = statusOf(store, commits, {
    base,
    head,
    mergeBase,
    ignoreSpaceChange,
    signal: context.signal,
  });
  return { status, mergeBase, ...distance, ...size, conflicts };
}

const NOTHING = { additions: 0, deletions: 0, changedFiles: 0, protectedFiles: [] };

function treeOf(commits: Commits, oid: Oid): Oid {
  return commits.treeOf(commits.positionOf(oid));
}

function measured(store: ObjectSource, from: Oid, to: Oid, protectedFiles: readonly string[]) {
  const globs = protectedFiles.map((pattern) => compileGlob(pattern, "/"));
  const { files } = changedFiles(store, from, to, { maxFiles: MAX_FILES });
  const budget = new Budget(LIMITS);
  const touched = new Set<string>();
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    const counts = diffOfFile(store, file, LIMITS, budget);
    additions += counts.additions;
    deletions += counts.deletions;
    for (const path of new Set([file.oldPath, file.newPath]))
      if (touched.size < NAMED_PATHS && globs.some((glob) => glob.matches(path.toLowerCase()))) touched.add(path);
  }
  return { additions, deletions, changedFiles: files.length, protectedFiles: [...touched] };
}

function statusOf(
  store: ObjectSource & ConstructorParameters<typeof Overlay>[0],
  commits: Commits,
  {
    base,
    head,
    mergeBase,
    ...options
  }: Pick<ExamineInput, "base" | "head" | "ignoreSpaceChange"> & {
    mergeBase: Oid | undefined;
    signal: AbortSignal;
  },
): { status: PullStatus; conflicts: readonly string[] } {
  if (mergeBase === undefined) return { status: "empty", conflicts: [] };
  if (mergeBase === head) return { status: "ancestor", conflicts: [] };
  const baseTree = treeOf(commits, base);
  try {
    const attributesOf = treeAttributes(store, baseTree);
    const { clean, conflicts, tree } = mergeCommits(commits, new Overlay(store), base, head, {
      attributesOf,
      ...options,
    });
    if (!clean)
      return { status: "conflict", conflicts: [...new Set(conflicts.map(({ path }) => path))].slice(0, NAMED_PATHS) };
    return { status: tree === baseTree ? "empty" : "mergeable", conflicts: [] };
  } catch (error) {
    if (!(error instanceof TooManyBases) && !(error instanceof CorruptObject)) throw error;
    return { status: "error", conflicts: [] };
  }
}
