import type { JobContext } from "../../workers/job.ts";
import { Commits } from "../graph/commits.ts";
import { treeAttributes } from "../merge/attributes.ts";
import type { MergeLabels, MergeOptions } from "../merge/merge-trees.ts";
import type { Signature } from "../objects/signature.ts";
import type { Oid } from "../objects/types.ts";
import { Overlay } from "../odb/overlay.ts";
import { ObjectStore } from "../odb/store.ts";
import { writeObjects } from "../odb/write.ts";
import { type SigningKey, signerOf } from "../signing/signer.ts";
import { fastForward, type JoinInput, mergeCommit, squash } from "./join.ts";
import { cherryPick, type PickOptions, type ReplayOutcome, revert } from "./pick.ts";
import { type RebaseInput, rebase, rebaseMerge } from "./rebase.ts";

/** The operation to perform; the resulting tip is returned. */
export type ReplayAction = ReplayOf & Pick<MergeOptions, "ignoreSpaceChange">;

type ReplayOf =
  | ({ readonly kind: "cherry-pick"; readonly onto: Oid; readonly commits: readonly Oid[] } & Omit<
      PickOptions,
      "merge"
    >)
  | {
      readonly kind: "revert";
      readonly onto: Oid;
      readonly commit: Oid;
      readonly mainline?: number;
      readonly message?: string;
    }
  | ({ readonly kind: "rebase"; readonly always?: boolean; readonly lastMessage?: string } & RebaseInput)
  | ({ readonly kind: "rebase-merge"; readonly message: string } & RebaseInput)
  | ({ readonly kind: "merge"; readonly labels?: Partial<MergeLabels> } & Omit<JoinInput, "merge">)
  | ({ readonly kind: "squash"; readonly coAuthors?: readonly Pick<Signature, "name" | "email">[] } & Omit<
      JoinInput,
      "merge"
    >)
  | { readonly kind: "fast-forward"; readonly base: Oid; readonly head: Oid };

export interface ReplayInput {
  /** The bare repository. */
  readonly repoDir: string;
  readonly action: ReplayAction;
  readonly committer: Signature;
  /** Signs every commit that is created. */
  readonly signing?: SigningKey | undefined;
  /** Whether to store the new objects on success; true by default. No ref is updated. */
  readonly write?: boolean;
}

/** Merges, rebases, squashes, cherry-picks or reverts commits. */
export async function run(input: ReplayInput, { signal }: Pick<JobContext, "signal">): Promise<ReplayOutcome> {
  const store = ObjectStore.open(input.repoDir);
  try {
    const overlay = new Overlay(store);
    const outcome = replay(Commits.open(input.repoDir, store), overlay, input, signal);
    if (outcome.kind === "done" && (input.write ?? true))
      writeObjects(input.repoDir, overlay.made(), { isStored: (oid) => store.has(oid) });
    return outcome;
  } finally {
    store.close();
  }
}

function replay(
  commits: Commits,
  overlay: Overlay,
  { action, committer, signing }: ReplayInput,
  signal: AbortSignal,
): ReplayOutcome {
  const replayer = { committer, ...(signing ? { sign: signerOf(signing), signer: signing.committer } : {}) };
  /** Uses the `.gitattributes` of the branch that receives the changes. */
  const mergeOn = (oid: Oid) => ({
    signal,
    ignoreSpaceChange: action.ignoreSpaceChange,
    attributesOf: treeAttributes(overlay, commits.treeOf(commits.positionOf(oid))),
  });
  switch (action.kind) {
    case "cherry-pick":
      return cherryPick(overlay, action.onto, action.commits, replayer, { ...action, merge: mergeOn(action.onto) });
    case "revert":
      return revert(overlay, action.onto, action.commit, replayer, { ...action, merge: mergeOn(action.onto) });
    case "rebase":
      return rebase(commits, overlay, action, replayer, {
        always: action.always ?? false,
        merge: mergeOn(action.onto),
        ...(action.lastMessage === undefined ? {} : { lastMessage: action.lastMessage }),
      });
    case "rebase-merge":
      return rebaseMerge(commits, overlay, action, replayer, { message: action.message, merge: mergeOn(action.onto) });
    case "merge":
      return mergeCommit(
        commits,
        overlay,
        { ...action, merge: { ...mergeOn(action.base), labels: action.labels } },
        replayer,
      );
    case "squash":
      return squash(commits, overlay, { ...action, merge: mergeOn(action.base) }, replayer);
    case "fast-forward":
      return fastForward(commits, action.base, action.head);
  }
}
