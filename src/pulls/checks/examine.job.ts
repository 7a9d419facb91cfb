import { cachedRepository } from "../../git/cached-repository.ts";
import type { FileChange } from "../../git/diff/change.ts";
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
  /** The bare repository, which contains both commits. */
  readonly repoDir: string;
  readonly base: Oid;
  readonly head: Oid;
  /** Globs from the base branch's rule, in lower case. */
  readonly protectedFiles: readonly string[];
  /** Whether whitespace changes don't count as conflicts. */
  readonly ignoreSpaceChange: boolean;
  /** The size of the changes from an earlier merge base to this head, the most expensive part to compute. */
  readonly known?: KnownSize | undefined;
}

export interface KnownSize extends Pick<PullCheck, "additions" | "deletions" | "changedFiles"> {
  readonly mergeBase: Oid;
}

/** Maximum number of paths listed. */
const NAMED_PATHS = 10;

/** Only counts lines, without keeping any for display; larger files, and files beyond the total, count no lines. */
const LIMITS = {
  maxFileBytes: 32 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  maxFileLines: 0,
  words: false,
  context: 0,
};
const MAX_FILES = 100_000;

export type ExamineContext = Pick<JobContext, "cached" | "signal">;

/** Everything that follows from the two commits of a pull request (contract pulls.md 8). Stores nothing. */
export function run(
  { repoDir, base, head, protectedFiles, ignoreSpaceChange, known }: ExamineInput,
  context: ExamineContext,
): PullCheck {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const commits = repository.commits();
  const mergeBase = mergeBases(commits, base, head)[0];
  // The head is on the left: commits only it has are ahead.
  const distance = aheadBehind(commits, head, base);
  const size =
    mergeBase === undefined
      ? NOTHING
      : sizeOf(store, treeOf(commits, mergeBase), treeOf(commits, head), {
          protectedFiles,
          counts: known?.mergeBase === mergeBase ? known : undefined,
        });
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

type Counts = Pick<PullCheck, "additions" | "deletions" | "changedFiles">;

function sizeOf(
  store: ObjectSource,
  from: Oid,
  to: Oid,
  { counts, protectedFiles }: { readonly counts: Counts | undefined; readonly protectedFiles: readonly string[] },
): Counts & { readonly protectedFiles: readonly string[] } {
  if (counts && protectedFiles.length === 0) return { ...countsOf(counts), protectedFiles: [] };
  const { files } = changedFiles(store, from, to, { maxFiles: MAX_FILES });
  return { ...countsOf(counts ?? counted(store, files)), protectedFiles: touchedOf(files, protectedFiles) };
}

const countsOf = ({ additions, changedFiles, deletions }: Counts): Counts => ({ additions, changedFiles, deletions });

function counted(store: ObjectSource, files: readonly FileChange[]): Counts {
  const budget = new Budget(LIMITS);
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    const counts = diffOfFile(store, file, LIMITS, budget);
    additions += counts.additions;
    deletions += counts.deletions;
  }
  return { additions, deletions, changedFiles: files.length };
}

/** The first changed paths that match a glob. */
function touchedOf(files: readonly FileChange[], protectedFiles: readonly string[]): string[] {
  const globs = protectedFiles.map((pattern) => compileGlob(pattern, "/"));
  const touched = new Set<string>();
  for (const file of files)
    for (const path of [file.oldPath, file.newPath])
      if (touched.size < NAMED_PATHS && globs.some((glob) => glob.matches(path.toLowerCase()))) touched.add(path);
  return [...touched];
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
