import { isRegular } from "../diff/renames.ts";
import { decodeName } from "../objects/names.ts";
import type { Oid } from "../objects/types.ts";
import type { MergeMessage } from "./messages.ts";
import { BASE, type MergeState, OURS, type PathState, THEIRS, type Version } from "./state.ts";

/** What one of the three trees, or the result, has at a path. */
export interface MergeEntry {
  readonly mode: number;
  readonly oid: Oid;
}

/** A path that a merge could not decide. Paths are as `decodeName` gives them. */
export interface ConflictedFile {
  /** Where it is in the resulting tree, and in the index of a merge in progress. */
  readonly path: string;
  /** What each tree brings to this path, if anything: stages 1, 2 and 3. After renames they may come from other paths. */
  readonly base: MergeEntry | undefined;
  readonly ours: MergeEntry | undefined;
  readonly theirs: MergeEntry | undefined;
  /** What the resulting tree has there: a file with conflict markers, or the side that was kept. */
  readonly result: MergeEntry | undefined;
  /** The messages that name this path. */
  readonly messages: readonly MergeMessage[];
  /** The result is a text with conflict markers in it: a person can resolve it in an editor. */
  readonly editable: boolean;
}

export interface MergeResult {
  /** The merged tree; where it is not clean, files in it have conflict markers. Its new objects are in the overlay. */
  readonly tree: Oid;
  readonly clean: boolean;
  /** In the order of their paths; may be empty when not clean (a directory that was torn apart). */
  readonly conflicts: readonly ConflictedFile[];
  /** Everything git would say, in its order, "Auto-merging" of files merged without conflict included. */
  readonly messages: readonly MergeMessage[];
  /** Submodules that a person has to merge in their own repository, in the order in which git names them. */
  readonly submodules: readonly string[];
  /** Files were too many for edited renames to be looked for; with this limit they would be. 0: they were. */
  readonly neededRenameLimit: number;
}

/** Puts into words and names what is left after all paths were resolved. */
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
