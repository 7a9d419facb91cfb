import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { GitError } from "./errors.ts";
import { Commits } from "./graph/commits.ts";
import { peelTags } from "./graph/peel.ts";
import { CommitGraph } from "./graph/reader.ts";
import type { Oid } from "./objects/types.ts";
import { alternatesOf } from "./odb/alternates.ts";
import { ObjectStore, type StoreOptions } from "./odb/store.ts";
import { readHead, readSymbolicRefs } from "./refs/files.ts";
import { FolderRefs } from "./refs/folder.ts";
import { compareRefNames } from "./refs/names.ts";
import type { Ref } from "./refs/types.ts";
import { RevisionLanguage } from "./revision-language.ts";
import { AmbiguousRevision, UnknownRevision } from "./revisions.ts";

/** No git repository was found at the given place. */
export class NoRepository extends GitError {
  override name = "NoRepository";
}

export interface FolderOptions extends StoreOptions {
  /** Whether to honour `refs/replace/` (git-replace): objects that replace others whenever those are read. */
  readonly replaces?: boolean;
  /** Called with a warning for each ambiguous name. */
  readonly warn?: (line: string) => void;
}

/**
 * A git repository in a directory, as real git stores it: bare, or the `.git` of a working tree, whose files are never
 * examined. For command line tools and tests; Hearth's own repositories have their refs in the database.
 */
export class RepositoryFolder {
  private walked: Commits | undefined;

  private constructor(
    /** The directory with `HEAD`, refs and objects. */
    readonly gitDir: string,
    readonly store: ObjectStore,
    readonly refs: FolderRefs,
    /** Called with a warning for each ambiguous name. */
    readonly warn: ((line: string) => void) | undefined,
  ) {}

  /**
   * Opens the repository in `directory`, or in its `.git`.
   * @throws NoRepository
   */
  static open(directory: string, { replaces, warn, ...options }: FolderOptions = {}): RepositoryFolder {
    const whole = resolve(directory);
    const gitDir = [whole, join(whole, ".git")].find(isRepository);
    if (gitDir === undefined) throw new NoRepository(`not a git repository: '${whole}'`);
    const store = ObjectStore.open(gitDir, {
      alternates: alternatesOf(join(gitDir, "objects")),
      ...(replaces ? { replacements: replacementsOf(new FolderRefs(gitDir, () => undefined)) } : {}),
      ...options,
    });
    const refs = new FolderRefs(gitDir, (oid) =>
      store.header(oid)?.type === "tag" ? peelTags(store, oid) : undefined,
    );
    return new RepositoryFolder(gitDir, store, refs, warn);
  }

  /** Whether it has no working tree, judging by the directory's name: git calls that of a working tree `.git`. */
  get isBare(): boolean {
    return basename(this.gitDir) !== ".git";
  }

  /** The commits, using the commit-graph if there is one. */
  get commits(): Commits {
    this.walked ??= new Commits(this.store, this.graph(), this.shallow);
    return this.walked;
  }

  /** A commit-graph does not take replacements into account. */
  private graph(): CommitGraph | undefined {
    return this.store.replaces ? undefined : CommitGraph.open(this.gitDir);
  }

  /** The commits at which a shallow clone ends. */
  get shallow(): ReadonlySet<Oid> {
    const path = join(this.gitDir, "shallow");
    return new Set(existsSync(path) ? readFileSync(path, "latin1").split("\n").filter(Boolean) : []);
  }

  /** The object HEAD points to; undefined on an unborn branch. */
  headOid(): Oid | undefined {
    const head = readHead(this.gitDir);
    if (!head) return undefined;
    return "oid" in head ? head.oid : this.refs.resolve(head.ref)?.oid;
  }

  /** All refs below `refs/`, including symbolic ones, sorted by name. Broken ones are skipped. */
  allRefs(): (Ref & { readonly symbolicTo?: string })[] {
    const refs: (Ref & { readonly symbolicTo?: string })[] = this.refs.list();
    for (const { name, target } of readSymbolicRefs(this.gitDir)) {
      const ref = this.refs.resolve(target);
      if (ref) refs.push({ ...ref, name, symbolicTo: target });
    }
    return refs.sort((a, b) => compareRefNames(a.name, b.name));
  }

  withPeeled(ref: Ref): Ref {
    const peeled = this.store.header(ref.oid)?.type === "tag" ? peelTags(this.store, ref.oid) : undefined;
    return peeled === undefined ? ref : { ...ref, peeled };
  }

  /**
   * The object a revision names, in the full syntax of gitrevisions(7).
   * @throws UnknownRevision, AmbiguousRevision, RevisionRefused
   */
  oidOf(revision: string): Oid {
    return new RevisionLanguage(this).find(revision);
  }

  /** As `oidOf`; undefined if the text names nothing here. */
  find(revision: string): Oid | undefined {
    try {
      return this.oidOf(revision);
    } catch (error) {
      if (error instanceof UnknownRevision || error instanceof AmbiguousRevision) return undefined;
      throw error;
    }
  }

  /** Whether the object exists; as in git, the empty tree always does. */
  has(oid: Oid): boolean {
    return this.store.has(oid) || oid === this.store.format.emptyTree;
  }

  close(): void {
    this.store.close();
  }
}

function isRepository(directory: string): boolean {
  return existsSync(join(directory, "HEAD")) && existsSync(join(directory, "objects"));
}

function replacementsOf(refs: FolderRefs): Map<Oid, Oid> {
  const prefix = "refs/replace/";
  return new Map(refs.list(prefix).map(({ name, oid }) => [name.slice(prefix.length), oid]));
}
