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
  /** The branch that gets the changes, and the commit that has them. */
  readonly base: Oid;
  readonly head: Oid;
  readonly message: string;
  /** The committer by default. */
  readonly author?: Signature;
  /** A squash of which nothing remains is a commit all the same; without it that is an answer. */
  readonly mayBeEmpty?: boolean;
  readonly merge?: MergeCommitsOptions;
  /** What someone decided of the conflicts; one that is not decided is an answer. */
  readonly resolutions?: readonly Resolution[];
}

/**
 * A merge commit of two branches, always, as `git merge --no-ff` makes it.
 * @throws UnrelatedHistories, TooManyBases; CorruptObject when an object is missing
 */
export function mergeCommit(commits: Commits, overlay: Overlay, input: JoinInput, replayer: Replayer): ReplayOutcome {
  const { base, head } = input;
  return join(commits, overlay, input, [base, head], input.message, replayer);
}

/**
 * All that a branch changed in one commit on the other, as `git merge --squash` and a commit make it.
 * @throws UnrelatedHistories, TooManyBases; CorruptObject when an object is missing
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
 * Moves a branch forward to a commit behind which all of it stands.
 * @throws CannotReplay when that is not so
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
