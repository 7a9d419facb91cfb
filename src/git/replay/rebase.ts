import type { Commits } from "../graph/commits.ts";
import { mergeBases } from "../history/ancestry.ts";
import { walk } from "../history/log.ts";
import type { MergeOptions } from "../merge/merge-trees.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { putCommit, type Replayer, readCommit } from "./commit.ts";
import { patchIdOf } from "./patch-id.ts";
import { cherryPick, type ReplayOutcome, treeOf } from "./pick.ts";

export interface RebaseInput {
  /** The new base of the commits. */
  readonly onto: Oid;
  /** Commits reachable from this one are left out; those with the same change as one on its side are dropped. */
  readonly upstream: Oid;
  readonly branch: Oid;
}

export interface RebaseOptions {
  /** Recreate every commit, even if it is already in the right place; false by default, as in git. */
  readonly always?: boolean;
  readonly merge?: MergeOptions;
  /** Replaces the message of the last commit, if there is one. */
  readonly lastMessage?: string;
}

/** A larger range is not rebased: it must be a mistake. */
const MAX_COMMITS = 10_000;

/**
 * Replays a branch on another commit, as `git rebase --onto` does: merges are left out, commits whose change is already
 * upstream or becomes empty are dropped, those that were empty from the start are kept.
 * @throws CorruptObject if an object is missing; RangeError for more than 10,000 commits
 */
export function rebase(
  commits: Commits,
  overlay: Overlay,
  input: RebaseInput,
  replayer: Replayer,
  { lastMessage, ...options }: RebaseOptions = {},
): ReplayOutcome {
  const outcome = replayed(commits, overlay, input, replayer, options);
  if (lastMessage === undefined || outcome.kind !== "done" || outcome.commit === input.onto) return outcome;
  const { author, parents, tree } = readCommit(overlay, outcome.commit);
  const commit = putCommit(overlay, { tree, parents, author, message: lastMessage }, replayer);
  return { ...outcome, commit };
}

function replayed(
  commits: Commits,
  overlay: Overlay,
  { onto, upstream, branch }: RebaseInput,
  replayer: Replayer,
  options: RebaseOptions,
): ReplayOutcome {
  if (!options.always && standsThere(commits, { onto, upstream, branch }))
    return { kind: "done", commit: branch, commits: [] };
  let head = onto;
  const made: (readonly [Oid, Oid | undefined])[] = [];
  for (const [oid, isUpstream] of commitsToRebase(commits, overlay, upstream, branch)) {
    if (isUpstream) {
      made.push([oid, undefined]);
      continue;
    }
    const commit = readCommit(overlay, oid);
    if (!options.always && commit.parents.length === 1 && commit.parents[0] === head) {
      head = oid;
      made.push([oid, oid]);
      continue;
    }
    const wasEmpty = commit.tree === treeOf(overlay, commit.parents[0]);
    const onEmpty = wasEmpty ? "keep" : "drop";
    const outcome = cherryPick(overlay, head, [oid], replayer, {
      onEmpty,
      ...(options.merge ? { merge: options.merge } : {}),
    });
    if (outcome.kind !== "done") return outcome;
    head = outcome.commit;
    made.push(...outcome.commits);
  }
  return { kind: "done", commit: head, commits: made };
}

/**
 * Whether the branch is already linear on top of `onto`, and upstream forked at the same commit: git then stops here.
 */
function standsThere(commits: Commits, { onto, upstream, branch }: RebaseInput): boolean {
  for (const other of [onto, upstream]) {
    const bases = mergeBases(commits, other, branch);
    if (bases.length !== 1 || bases[0] !== onto) return false;
  }
  const end = commits.positionOf(onto);
  let at = commits.positionOf(branch);
  while (at !== end && commits.secondParentOf(at) === -1 && commits.firstParentOf(at) >= 0)
    at = commits.firstParentOf(at);
  return at === end;
}

/**
 * A rebase followed by a merge commit: the branch's commits are linear on top of `onto`, and the merge records that
 * they belong together.
 * @param message of the merge
 */
export function rebaseMerge(
  commits: Commits,
  overlay: Overlay,
  input: RebaseInput,
  replayer: Replayer,
  { message, ...options }: RebaseOptions & { readonly message: string },
): ReplayOutcome {
  const outcome = rebase(commits, overlay, input, replayer, { always: true, ...options });
  if (outcome.kind !== "done" || outcome.commit === input.onto) return outcome;
  const tree = treeOf(overlay, outcome.commit);
  const parents = [input.onto, outcome.commit];
  return { ...outcome, commit: putCommit(overlay, { tree, parents, author: replayer.committer, message }, replayer) };
}

/** The branch's own commits, oldest first, each with whether upstream contains the same change. */
function commitsToRebase(commits: Commits, overlay: Overlay, upstream: Oid, branch: Oid): [Oid, boolean][] {
  const plain = (tip: Oid, not: Oid): number[] => {
    const found: number[] = [];
    for (const position of walk(commits, { tips: [tip], not: [not], order: "topo" })) {
      if (commits.secondParentOf(position) !== -1) continue;
      found.push(position);
      if (found.length > MAX_COMMITS) throw new RangeError(`more than ${MAX_COMMITS} commits would be rebased`);
    }
    return found;
  };
  const own = plain(branch, upstream).reverse();
  const known = own.length === 0 ? new Set<Oid>() : patchIdsOf(commits, overlay, upstream, branch);
  return own.map((position) => {
    const id = known.size === 0 ? undefined : patchId(commits, overlay, position);
    return [commits.oidOf(position), id !== undefined && known.has(id)];
  });
}

/** The patch ids of upstream's changes since the branch forked. */
function patchIdsOf(commits: Commits, overlay: Overlay, upstream: Oid, branch: Oid): Set<Oid> {
  const ids = new Set<Oid>();
  for (const position of walk(commits, { tips: [upstream], not: [branch] })) {
    if (commits.secondParentOf(position) !== -1) continue;
    const id = patchId(commits, overlay, position);
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

function patchId(commits: Commits, overlay: Overlay, position: number): Oid | undefined {
  const parent = commits.firstParentOf(position);
  return patchIdOf(overlay, parent < 0 ? undefined : commits.treeOf(parent), commits.treeOf(position));
}
