import { decodeName, encodeName, toLatin1 } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import type { Overlay } from "../odb/overlay.ts";
import { collectPaths } from "./collect.ts";
import type { MergeAttributes } from "./content/drivers.ts";
import type { ConflictStyle } from "./content/texts.ts";
import { Directories } from "./directories.ts";
import { Messages } from "./messages.ts";
import { applyRenames } from "./renames/apply.ts";
import type { Arrival, SideChanges } from "./renames/changes.ts";
import { DirectoryMoves, directoryRenames, dropRenamedTwice } from "./renames/directory-renames.ts";
import { findSideRenames } from "./renames/search.ts";
import { resolvePaths } from "./resolve.ts";
import { type MergeResult, resultOf } from "./result.ts";
import { type MergeState, OURS, THEIRS } from "./state.ts";

export interface MergeOptions {
  /** How to show conflicts; "merge" by default (both sides, not the base). */
  readonly style?: ConflictStyle | undefined;
  /** Ignore changes in the amount of white space, as with `-X ignore-space-change`. */
  readonly ignoreSpaceChange?: boolean | undefined;
  /** Follow renamed files; true by default. */
  readonly renames?: boolean | undefined;
  /** Inexact renames are detected only if sources times destinations is within the square of this; 7,000 by default. */
  readonly renameLimit?: number | undefined;
  /**
   * How to treat a file added to a directory the other side renamed: move it and report a "conflict" (the default, as
   * in git), move it ("apply"), or leave it ("off").
   */
  readonly directoryRenames?: "conflict" | "apply" | "off" | undefined;
  /** The merge attributes of a path, given as returned by `decodeName`. None by default. */
  readonly attributesOf?: ((path: string) => MergeAttributes) | undefined;
  /** Abort when more paths than this differ between the trees; a million by default. */
  readonly maxPaths?: number | undefined;
  /** Checked periodically; the merge throws its reason when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Names of the trees, for conflict markers and messages, as returned by `decodeName`. */
export interface MergeLabels {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TreesToMerge {
  readonly base: Oid;
  readonly ours: Oid;
  readonly theirs: Oid;
  readonly labels: MergeLabels;
  readonly options?: MergeOptions;
  /** Nesting depth when merging bases; 0 for the requested merge. */
  readonly depth?: number;
}

const PLAIN: MergeAttributes = {};

/**
 * Three-way merge of two trees, as in `git merge-tree --write-tree` (strategy "ort"), with renames
 * of files and directories. New trees and files go to the overlay; the caller stores them. Synchronous and possibly
 * long, so run it in a worker.
 * @throws CorruptObject when an object is missing or malformed; TreeTooLarge
 */
export function mergeTrees(
  store: Overlay,
  { base, ours, theirs, labels, options = {}, depth = 0 }: TreesToMerge,
): MergeResult {
  const { attributesOf } = options;
  const state: MergeState = {
    store,
    labels: { base: bytesOf(labels.base), ours: bytesOf(labels.ours), theirs: bytesOf(labels.theirs) },
    depth,
    style: options.style ?? "merge",
    ignoreSpaceChange: options.ignoreSpaceChange,
    directoryRenames: depth > 0 ? "off" : (options.directoryRenames ?? "conflict"),
    renames: options.renames ?? true,
    attributesOf: (path) => (attributesOf ? attributesOf(decodeName(Buffer.from(path, "latin1"))) : PLAIN),
    paths: new Map(),
    conflicted: new Map(),
    directories: new Directories(store),
    messages: new Messages(depth > 0),
    maxPaths: options.maxPaths,
    signal: options.signal,
  };
  const changes = collectPaths(state, [base, ours, theirs]);
  const { clean, neededLimit } = state.renames
    ? followRenames(state, changes, options.renameLimit)
    : { clean: true, neededLimit: 0 };
  const tree = resolvePaths(state);
  return resultOf(state, tree, clean, neededLimit);
}

interface Followed {
  /** False when a directory rename could not be applied. */
  readonly clean: boolean;
  readonly neededLimit: number;
}

/** Finds and applies renames. */
function followRenames(
  state: MergeState,
  changes: readonly [SideChanges, SideChanges, SideChanges],
  limit: number | undefined,
): Followed {
  const possible = (side: SideChanges) => side.pairs.length > 0 && side.relevant.size > 0;
  if (!possible(changes[OURS]) && !possible(changes[THEIRS])) return { clean: true, neededLimit: 0 };
  const searching = { limit, signal: state.signal };
  const ours = findSideRenames(state.store, OURS, changes[OURS], searching);
  const theirs = findSideRenames(state.store, THEIRS, changes[THEIRS], searching);
  const neededLimit = Math.max(ours.neededLimit, theirs.neededLimit);
  const arrivals = [...ours.arrivals, ...theirs.arrivals];
  if (state.directoryRenames === "off") {
    applyRenames(
      state,
      arrivals.filter(({ renamed }) => renamed),
    );
    return { clean: true, neededLimit };
  }
  const oursDirectories = directoryRenames(state, ours.directoryCounts);
  const theirsDirectories = directoryRenames(state, theirs.directoryCounts);
  let clean = oursDirectories.clean && theirsDirectories.clean;
  dropRenamedTwice(oursDirectories.renames, theirsDirectories.renames);
  const moves = new DirectoryMoves(
    state,
    { [OURS]: oursDirectories.renames, [THEIRS]: theirsDirectories.renames },
    { [OURS]: ours.arrivals, [THEIRS]: theirs.arrivals },
  );
  const followed: Arrival[] = [];
  for (const arrival of arrivals) {
    const outcome = moves.apply(arrival);
    clean &&= outcome.clean;
    if (arrival.renamed || outcome.moved) followed.push(arrival);
  }
  applyRenames(state, followed);
  return { clean, neededLimit };
}

function bytesOf(name: string): string {
  return toLatin1(encodeName(name));
}
