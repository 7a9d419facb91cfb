import type { Commits } from "../graph/commits.ts";
import { isAncestor } from "../history/ancestry.ts";
import { type MergeCommitsOptions, mergeCommits } from "../merge/merge-commits.ts";
import { type Resolution, resolvedTree } from "../merge/resolutions.ts";
import type { Signature } from "../objects/signature.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { putCommit, type Replayer, readCommit, withCoAuthors } from "./commit.ts";
import { CannotReplay, type ReplayOutcome } from "./pick.ts";

export interface JoinInput {
  /** The branch that receives the changes, and the commit that contains them. */
  readonly base: Oid;
  readonly head: Oid;
  readonly message: string;
  /** Defaults to the committer. */
  readonly author?: Signature;
  /** Whether a squash without any changes still creates a commit; otherwise the result is `empty`. */
  readonly mayBeEmpty?: boolean;
  readonly merge?: MergeCommitsOptions;
  /** The user's resolutions of conflicts; if one is missing, the result is a conflict. */
  readonly resolutions?: readonly Resolution[];
}

/**
 * Always creates a merge commit of two branches, like `git merge --no-ff`.
 * @throws UnrelatedHistories, TooManyBases; CorruptObject if an object is missing
 */
export function mergeCommit(commits: Commits, overlay: Overlay, input: JoinInput, replayer: Replayer): ReplayOutcome {
  const { base, head } = input;
  return join(commits, overlay, input, [base, head], input.message, replayer);
}

/**
 * Puts all changes of a branch on the other one in a single commit, like `git merge --squash` followed by a commit.
 * @throws UnrelatedHistories, TooManyBases; CorruptObject if an object is missing
 */
export function squash(
  commits: Commits,
  overlay: Overlay,
  input: JoinInput & { readonly coAuthors?: readonly Pick<Signature, "name" | "email">[] },
  replayer: Replayer,
): ReplayOutcome {
  const message = withCoAuthors(input.message, input.coAuthors ?? []);
  return join(commits, overlay, input, [input.base], message, replayer);
}

/**
 * Fast-forwards a branch to a descendant.
 * @throws CannotReplay if that is not possible
 */
export function fastForward(commits: Commits, base: Oid, head: Oid): ReplayOutcome {
  if (!isAncestor(commits, base, head)) throw new CannotReplay("Not possible to fast-forward, aborting.");
  return { kind: "done", commit: head, commits: [] };
}

function join(
  commits: Commits,
  overlay: Overlay,
  { base, head, author, mayBeEmpty, merge, resolutions }: JoinInput,
  parents: readonly Oid[],
  message: string,
  replayer: Replayer,
): ReplayOutcome {
  const result = mergeCommits(commits, overlay, base, head, merge);
  const tree = result.clean ? result.tree : resolutions && resolvedTree(overlay, result, resolutions, merge);
  if (tree === undefined) return { kind: "conflict", commit: head, onto: base, merge: result };
  if (!mayBeEmpty && parents.length === 1 && tree === readCommit(overlay, base).tree)
    return { kind: "empty", commit: head, onto: base };
  const parts = { tree, parents, author: author ?? replayer.committer, message };
  return { kind: "done", commit: putCommit(overlay, parts, replayer), commits: [] };
}
