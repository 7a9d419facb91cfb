import { isRegular } from "../diff/renames.ts";
import { decodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import type { MergeMessage } from "./messages.ts";
import { BASE, type MergeState, OURS, type PathState, THEIRS, type Version } from "./state.ts";

/** The entry of one of the three trees, or of the result, at a path. */
export interface MergeEntry {
  readonly mode: number;
  readonly oid: Oid;
}

/** A path the merge could not decide. Paths are as returned by `decodeName`. */
export interface ConflictedFile {
  /** Its path in the resulting tree, and in the index of a merge in progress. */
  readonly path: string;
  /** The entry each tree contributes, if any: stages 1, 2 and 3. After renames they may come from other paths. */
  readonly base: MergeEntry | undefined;
  readonly ours: MergeEntry | undefined;
  readonly theirs: MergeEntry | undefined;
  /** The entry in the resulting tree: a file with conflict markers, or the side that was kept. */
  readonly result: MergeEntry | undefined;
  /** The messages that mention this path. */
  readonly messages: readonly MergeMessage[];
  /** Whether the result is a text with conflict markers, which can be resolved in an editor. */
  readonly editable: boolean;
}

export interface MergeResult {
  /** The merged tree; if not clean, files in it have conflict markers. Its new objects are in the overlay. */
  readonly tree: Oid;
  readonly clean: boolean;
  /** Sorted by path; may be empty even when not clean (a split directory). */
  readonly conflicts: readonly ConflictedFile[];
  /** All of git's messages, in its order, including "Auto-merging" for files merged without conflict. */
  readonly messages: readonly MergeMessage[];
  /** Submodules that must be merged manually in their own repositories, in git's order. */
  readonly submodules: readonly string[];
  /** The limit needed to detect inexact renames, if there were too many files; 0 if the limit sufficed. */
  readonly neededRenameLimit: number;
}

/** Builds the result, with decoded names and messages, after all paths have been resolved. */
export function resultOf(state: MergeState, tree: Oid, clean: boolean, neededRenameLimit: number): MergeResult {
  const messages = state.messages.sorted().map(decoded);
  const byPath = new Map<string, MergeMessage[]>();
  for (const message of messages) {
    for (const path of new Set(message.paths)) {
      const existing = byPath.get(path);
      if (existing) existing.push(message);
      else byPath.set(path, [message]);
    }
  }
  const conflicts = [...state.conflicted.entries()]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([path, found]) => conflictedFile(decoded1(path), found, byPath));
  return {
    tree,
    clean: clean && conflicts.length === 0,
    conflicts,
    messages,
    submodules: state.messages.submodules.map(decoded1),
    neededRenameLimit,
  };
}

function conflictedFile(
  path: string,
  found: PathState,
  byPath: ReadonlyMap<string, readonly MergeMessage[]>,
): ConflictedFile {
  const messages = byPath.get(path) ?? [];
  const stage = (at: typeof BASE | typeof OURS | typeof THEIRS) =>
    found.fileMask & (1 << at) ? entryOf(found.stages[at]) : undefined;
  const ours = stage(OURS);
  const theirs = stage(THEIRS);
  const made = found.result.oid !== ours?.oid && found.result.oid !== theirs?.oid;
  const about = (type: string) => messages.some((message) => message.type === type && message.paths[0] === path);
  const editable = about("CONFLICT (contents)") && !about("CONFLICT (binary)") && made && isRegular(found.result.mode);
  return { path, base: stage(BASE), ours, theirs, result: entryOf(found.result), messages, editable };
}

function entryOf({ mode, oid }: Version): MergeEntry | undefined {
  return mode === 0 ? undefined : { mode, oid };
}

function decoded({ type, paths, text }: MergeMessage): MergeMessage {
  return { type, paths: paths.map(decoded1), text: decoded1(text) };
}

function decoded1(text: string): string {
  return decodeName(Buffer.from(text, "latin1"));
}
