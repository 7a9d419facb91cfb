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

/** The contents of an archive, whatever its format. */
export interface ArchiveSource {
  /** Undefined for an archive of a bare tree. */
  readonly commit: CommitToPrint | undefined;
  /** The date of all entries, in seconds since 1970. */
  readonly timeSeconds: number;
  readonly substitution: Substitution | undefined;
  readonly lineEnds: EolSettings | undefined;
  /** Every entry, with its path prefixed; the prefix's own directory comes first. */
  entries(): Iterable<ArchiveEntry>;
}

/** A requested path, and the form in which it was given. */
export interface ArchivePath {
  readonly given: string;
  readonly wanted: WantedPath;
}

/** A requested path does not exist. */
export class NoSuchPath extends GitError {
  override name = "NoSuchPath";
  constructor(readonly path: string) {
    super(`pathspec '${path}' did not match any files`);
  }
}

export interface ArchiveChoice {
  readonly tree: Oid;
  /** The commit of the tree; undefined for a bare tree. */
  readonly commit?: CommitToPrint | undefined;
  /** Seconds since 1970; the commit's date if there is one, so that the same archive always has the same bytes. */
  readonly timeSeconds: number;
  /** As returned by `decodeName`; with a trailing slash it is a directory. */
  readonly prefix?: string | undefined;
  /** Requested paths; all if there are none. */
  readonly paths?: readonly ArchivePath[] | undefined;
  /** The content of `info/attributes`. */
  readonly info?: Uint8Array | undefined;
  /** The content of the user's own attributes file. */
  readonly user?: Uint8Array | undefined;
  /** For `export-subst`; if undefined, files are not changed. */
  readonly context?: PrettyContext | undefined;
  /** Line endings in a working tree; if undefined, only attributes change line endings. */
  readonly lineEnds?: EolSettings | undefined;
  /** Called with every path in the archive, including the prefix. */
  readonly onEntry?: ((path: string) => void) | undefined;
}

/** @throws NoSuchPath if a requested path is not in the tree */
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

/** Before anything is written: checks that every requested path exists at all, even if excluded. */
function requirePaths(store: ObjectSource, tree: Oid, paths: readonly ArchivePath[]): void {
  for (const { given, wanted } of paths) if (!isThere(store, tree, wanted)) throw new NoSuchPath(given);
}

/** A path with a trailing slash is a directory or a submodule; an empty one is everything, if there is anything. */
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
