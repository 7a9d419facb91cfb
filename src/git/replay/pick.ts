import { GitError } from "../errors.ts";
import { type MergeOptions, mergeTrees } from "../merge/merge-trees.ts";
import type { MergeResult } from "../merge/result.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { endsWithTrailers } from "../pretty/trailers.ts";
import { trimEndOf, trimOf } from "../text-ends.ts";
import { labelOf, type OldCommit, putCommit, type Replayer, readCommit } from "./commit.ts";

/** A commit cannot be replayed as requested: it is a merge and no parent was given, or has no such parent. */
export class CannotReplay extends GitError {
  override name = "CannotReplay";
}

/** A commit whose changes conflict, with everything that a conflict page needs. */
export interface ReplayConflict {
  readonly kind: "conflict";
  /** The commit that was being replayed. */
  readonly commit: Oid;
  /** The commit it was replayed on: the last one created, or where the replay began. */
  readonly onto: Oid;
  readonly merge: MergeResult;
}

/** Nothing is left of a commit: its changes are already present. */
export interface ReplayEmpty {
  readonly kind: "empty";
  readonly commit: Oid;
  readonly onto: Oid;
}

export interface Replayed {
  readonly kind: "done";
  /** The resulting commit. */
  readonly commit: Oid;
  /** The result for each old commit: its new id, or undefined if it was dropped. */
  readonly commits: readonly (readonly [old: Oid, replayed: Oid | undefined])[];
}

export type ReplayOutcome = Replayed | ReplayConflict | ReplayEmpty;

export interface PickOptions {
  /** For merges: the parent whose side is kept, counted from 1. */
  readonly mainline?: number;
  /**
   * What to do with a commit of which nothing is left: "stop" (the default, as `git cherry-pick`), "drop" it or "keep"
   * it.
   */
  readonly onEmpty?: "stop" | "drop" | "keep";
  /** Add `(cherry picked from commit …)` to messages (`-x`). */
  readonly tellOrigin?: boolean;
  readonly merge?: MergeOptions;
}

/**
 * Replays the changes of commits on another one, as `git cherry-pick` does; authors and messages are kept. New objects
 * are in the overlay; if the replay fails, the caller discards them.
 * @param picked in the order they are to be applied
 * @throws CannotReplay; CorruptObject if an object is missing
 */
export function cherryPick(
  overlay: Overlay,
  onto: Oid,
  picked: readonly Oid[],
  replayer: Replayer,
  options: PickOptions = {},
): ReplayOutcome {
  let head = onto;
  const commits: [Oid, Oid | undefined][] = [];
  for (const oid of picked) {
    const commit = readCommit(overlay, oid);
    const parent = parentOf(commit, options.mainline);
    const current = readCommit(overlay, head);
    const merge = mergeTrees(overlay, {
      base: treeOf(overlay, parent),
      ours: current.tree,
      theirs: commit.tree,
      labels: { base: `parent of ${labelOf(commit)}`, ours: "HEAD", theirs: labelOf(commit) },
      ...(options.merge ? { options: options.merge } : {}),
    });
    if (!merge.clean) return { kind: "conflict", commit: oid, onto: head, merge };
    const onEmpty = options.onEmpty ?? "stop";
    if (merge.tree === current.tree && onEmpty !== "keep") {
      if (onEmpty === "stop") return { kind: "empty", commit: oid, onto: head };
      commits.push([oid, undefined]);
      continue;
    }
    const message = options.tellOrigin ? withOrigin(commit) : commit.message;
    head = putCommit(overlay, { tree: merge.tree, parents: [head], author: commit.author, message }, replayer);
    commits.push([oid, head]);
  }
  return { kind: "done", commit: head, commits };
}

/**
 * Reverts the changes of a commit, as `git revert` does, with git's message.
 * @throws CannotReplay; CorruptObject if an object is missing
 */
export function revert(
  overlay: Overlay,
  onto: Oid,
  reverted: Oid,
  replayer: Replayer,
  options: Pick<PickOptions, "mainline" | "merge"> & { readonly message?: string } = {},
): ReplayOutcome {
  const commit = readCommit(overlay, reverted);
  const parent = parentOf(commit, options.mainline);
  const current = readCommit(overlay, onto);
  const merge = mergeTrees(overlay, {
    base: commit.tree,
    ours: current.tree,
    theirs: treeOf(overlay, parent),
    labels: { base: labelOf(commit), ours: "HEAD", theirs: `parent of ${labelOf(commit)}` },
    ...(options.merge ? { options: options.merge } : {}),
  });
  if (!merge.clean) return { kind: "conflict", commit: reverted, onto, merge };
  if (merge.tree === current.tree) return { kind: "empty", commit: reverted, onto };
  const message = options.message ?? revertMessage(commit, options.mainline);
  const parts = { tree: merge.tree, parents: [onto], author: replayer.committer, message };
  const made = putCommit(overlay, parts, replayer);
  return { kind: "done", commit: made, commits: [[reverted, made]] };
}

/** git's message for a revert. */
function revertMessage(commit: OldCommit, mainline?: number): string {
  const against = commit.parents.length > 1 ? commit.parents[(mainline ?? 1) - 1] : undefined;
  const reversing = against === undefined ? "" : `, reversing\nchanges made to ${against}`;
  return `Revert "${firstLine(commit.message)}"\n\nThis reverts commit ${commit.oid}${reversing}.\n`;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? "";
}

/** The parent that a commit's changes are relative to; undefined for a root commit. @throws CannotReplay */
function parentOf(commit: OldCommit, mainline: number | undefined): Oid | undefined {
  const { oid, parents } = commit;
  if (parents.length > 1 && mainline === undefined) {
    throw new CannotReplay(`commit ${oid} is a merge but no -m option was given.`);
  }
  if (mainline === undefined) return parents[0];
  const parent = parents[mainline - 1];
  if (parents.length < 2) {
    if (mainline === 1) return parent;
    throw new CannotReplay(`mainline was specified but commit ${oid} is not a merge.`);
  }
  if (parent === undefined) throw new CannotReplay(`commit ${oid} does not have parent ${mainline}`);
  return parent;
}

/** The tree of a commit; the empty tree if undefined. */
export function treeOf(overlay: Overlay, commit: Oid | undefined): Oid {
  if (commit === undefined) return overlay.put("tree", new Uint8Array(0));
  return readCommit(overlay, commit).tree;
}

/** Adds the origin to the message, and cleans up its white space, as git then does. */
function withOrigin({ oid, message }: OldCommit): string {
  const line = `(cherry picked from commit ${oid})\n`;
  const own = message.endsWith("\n") ? message : `${message}\n`;
  // An empty line at the end also ends the trailers.
  const goesOn = endsWithTrailers(own) && !/\n[ \t\v\f\r]*\n$/.test(own);
  return tidied(`${own}${goesOn ? "" : "\n"}${line}`);
}

/** Removes trailing white space from lines, and reduces blank lines to one between paragraphs (git-stripspace(1)). */
function tidied(message: string): string {
  const lines = message.split("\n").map((line) => trimEndOf(line, " \t\v\f\r"));
  const text = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return `${trimOf(text, "\n")}\n`;
}
