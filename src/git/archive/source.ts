import { PathFilter } from "../diff/paths.ts";
import type { WantedPath } from "../diff/pathspec.ts";
import { GitError } from "../errors.ts";
import { decodeName, encodeName, toLatin1 } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { openTree } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import type { CommitToPrint, PrettyContext } from "../pretty/format.ts";
import { trimEndOf } from "../text-ends.ts";
import { entryAt, walkTree } from "../trees.ts";
import type { EolSettings } from "./convert.ts";
import { type ArchiveEntry, archiveEntries } from "./entries.ts";
import { Substitution } from "./substitute.ts";

/** What goes into an archive, whatever its format. */
export interface ArchiveSource {
  /** Undefined for an archive of a mere tree. */
  readonly commit: CommitToPrint | undefined;
  /** What all entries are dated: seconds since 1970. */
  readonly timeSeconds: number;
  readonly substitution: Substitution | undefined;
  readonly lineEnds: EolSettings | undefined;
  /** Every entry with the prefix before its path, the prefix's own directory first. */
  entries(): Iterable<ArchiveEntry>;
}

/** A path that is wanted, and how it was given. */
export interface ArchivePath {
  readonly given: string;
  readonly wanted: WantedPath;
}

/** A path that was asked for is not there. */
export class NoSuchPath extends GitError {
  override name = "NoSuchPath";
  constructor(readonly path: string) {
    super(`pathspec '${path}' did not match any files`);
  }
}

export interface ArchiveChoice {
  readonly tree: Oid;
  /** The commit the tree is of; undefined for a mere tree. */
  readonly commit?: CommitToPrint | undefined;
  /** Seconds since 1970; of the commit where there is one, as the same archive is to have the same bytes for ever. */
  readonly timeSeconds: number;
  /** As `decodeName` gives it; with a slash at its end it is a directory. */
  readonly prefix?: string | undefined;
  /** Wanted paths; all when there are none. */
  readonly paths?: readonly ArchivePath[] | undefined;
  /** The content of `info/attributes`. */
  readonly info?: Uint8Array | undefined;
  /** The content of the user's own attributes. */
  readonly user?: Uint8Array | undefined;
  /** For `export-subst`; files stay as they are without it. */
  readonly context?: PrettyContext | undefined;
  /** Line ends in a working tree; left alone where attributes say nothing without it. */
  readonly lineEnds?: EolSettings | undefined;
  /** Told of every path that goes in, with the prefix. */
  readonly onEntry?: ((path: string) => void) | undefined;
}

/** @throws NoSuchPath when a wanted path is not in the tree */
export function archiveSource(store: ObjectSource, choice: ArchiveChoice): ArchiveSource {
  const { tree, commit, paths = [], info, user, context, onEntry } = choice;
  requirePaths(store, tree, paths);
  const prefix = toLatin1(encodeName(choice.prefix ?? ""));
  return {
    commit,
    timeSeconds: choice.timeSeconds,
    substitution: commit && context ? new Substitution(commit, context) : undefined,
    lineEnds: choice.lineEnds,
    *entries() {
      const filter = paths.length === 0 ? undefined : new PathFilter(paths.map(({ wanted }) => wanted));
      if (prefix.endsWith("/")) {
        const path = `${trimEndOf(prefix, "/")}/`;
        onEntry?.(path);
        yield { path, mode: 0o40777, oid: tree };
      }
      for (const entry of archiveEntries(store, tree, { filter, info, user })) {
        const path = prefix + entry.path;
        onEntry?.(path);
        yield { ...entry, path };
      }
    },
  };
}

/** Before anything is written: whether every wanted path is there at all, left out or not. */
function requirePaths(store: ObjectSource, tree: Oid, paths: readonly ArchivePath[]): void {
  for (const { given, wanted } of paths) if (!isThere(store, tree, wanted)) throw new NoSuchPath(given);
}

/** With a slash at its end a path is a directory or a submodule; an empty one is everything, if there is anything. */
function isThere(store: ObjectSource, tree: Oid, wanted: WantedPath): boolean {
  if (wanted.path === "" && !wanted.exclude) return openTree(store, tree).next();
  if (wanted.signs === "plain" && !wanted.ignoreCase && !wanted.exclude) {
    const found = entryAt(store, tree, decodeName(Buffer.from(wanted.path, "latin1")));
    return found !== undefined && (!wanted.onlyDirectory || isTreeMode(found.mode) || found.mode === MODE_GITLINK);
  }
  const filter = new PathFilter([wanted]);
  for (const { path, mode } of walkTree(store, tree)) if (filter.matches(toLatin1(encodeName(path)), mode)) return true;
  return false;
}
