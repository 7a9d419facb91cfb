import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Config } from "./config/config.ts";
import { GitError } from "./errors.ts";
import { Commits } from "./graph/commits.ts";
import { peelTags } from "./graph/peel.ts";
import { CommitGraph } from "./graph/reader.ts";
import { alternatesOf } from "./objects/alternates.ts";
import { ObjectStore, type StoreOptions } from "./objects/store.ts";
import type { Oid } from "./objects/types.ts";
import { readHead, readSymbolicRefs } from "./refs/files.ts";
import { FolderRefs } from "./refs/folder.ts";
import { compareRefNames } from "./refs/names.ts";
import type { Ref } from "./refs/types.ts";
import { RevisionLanguage } from "./revision-language.ts";
import { AmbiguousRevision, UnknownRevision } from "./revisions.ts";

/** There is no git repository where one was looked for. */
export class NoRepository extends GitError {
  override name = "NoRepository";
}

export interface FolderOptions extends StoreOptions {
  /** Whether `refs/replace/` counts (git-replace): objects that stand in for others whenever those are read. */
  readonly replaces?: boolean;
  /** Told of names that may mean several things. */
  readonly warn?: (line: string) => void;
  /** Reads the date of `ref@{date}` to seconds since 1970. */
  readonly dateOf?: (text: string) => number | undefined;
}

/**
 * A git repository in a folder, as real git keeps it: bare, or the `.git` of a working tree, linked ones included. For
 * tools at the terminal and tests; Hearth's own repositories have their refs in the database.
 */
export class RepositoryFolder {
  private walked: Commits | undefined;
  private settings: Config | undefined;

  private constructor(
    /** Where `HEAD` is. */
    readonly gitDir: string,
    /** The folder whose `.git` led here; undefined when the repository's own folder was named. */
    private readonly above: string | undefined,
    /** Where objects and shared refs are: `gitDir`, but for linked working trees. */
    readonly commonDir: string,
    readonly store: ObjectStore,
    readonly refs: FolderRefs,
    /** The folder it was looked for from. */
    private readonly folder: string,
    /** What its caller asked for. */
    readonly asked: Pick<FolderOptions, "warn" | "dateOf">,
  ) {}

  /** Where that folder is below the top of the working tree: `dir/sub/`; empty at the top, and without a working tree. */
  get prefix(): string {
    const path = this.workTree === undefined ? "" : relative(this.workTree, this.folder);
    return path === "" ? "" : `${path}/`;
  }

  /**
   * Opens the repository that `folder` is, or is a working tree of, or is inside of.
   * @throws NoRepository
   */
  static find(folder: string, options: FolderOptions = {}): RepositoryFolder {
    for (let at = resolve(folder); ; at = dirname(at)) {
      const gitDir = gitDirAt(at);
      if (gitDir !== undefined)
        return RepositoryFolder.open(gitDir, options, gitDir === at ? undefined : at, resolve(folder));
      if (dirname(at) === at) break;
    }
    throw new NoRepository("not a git repository (or any of the parent directories): .git");
  }

  private static open(
    gitDir: string,
    { replaces, warn, dateOf, ...options }: FolderOptions,
    above: string | undefined,
    folder: string,
  ): RepositoryFolder {
    const commonDir = commonDirOf(gitDir);
    const store = ObjectStore.open(commonDir, {
      alternates: alternatesOf(join(commonDir, "objects")),
      ...(replaces ? { replacements: replacementsOf(new FolderRefs(commonDir, () => undefined)) } : {}),
      ...options,
    });
    const refs = new FolderRefs(commonDir, (oid) =>
      store.header(oid)?.type === "tag" ? peelTags(store, oid) : undefined,
    );
    return new RepositoryFolder(gitDir, above, commonDir, store, refs, folder, {
      ...(warn ? { warn } : {}),
      ...(dateOf ? { dateOf } : {}),
    });
  }

  /** Without a working tree, as far as the folder's name tells: git calls that of a working tree `.git`. */
  get isBare(): boolean {
    return basename(this.commonDir) !== ".git";
  }

  /**
   * The top of the working tree that the repository was found from; undefined without one. Linked ones are working
   * trees whatever `core.bare` says.
   * @throws BadConfig
   */
  get workTree(): string | undefined {
    const isLinked = this.gitDir !== this.commonDir;
    return !isLinked && this.config.boolean("core.bare") === true ? undefined : this.above;
  }

  /** The commits, with the help of the commit-graph where there is one. */
  get commits(): Commits {
    this.walked ??= new Commits(this.store, this.graph(), this.shallow);
    return this.walked;
  }

  /** A graph knows nothing of commits that stand in for others. */
  private graph(): CommitGraph | undefined {
    return this.store.replaces ? undefined : CommitGraph.open(this.commonDir);
  }

  /** The commits a shallow clone ends at. */
  get shallow(): ReadonlySet<Oid> {
    const path = join(this.commonDir, "shallow");
    return new Set(existsSync(path) ? readFileSync(path, "latin1").split("\n").filter(Boolean) : []);
  }

  /** What HEAD stands on; undefined on an unborn branch. */
  headOid(): Oid | undefined {
    const head = readHead(this.gitDir);
    if (!head) return undefined;
    return "oid" in head ? head.oid : this.refs.resolve(head.ref)?.oid;
  }

  /** All refs below `refs/`, those that name other refs included, sorted by name. Broken ones are passed over. */
  allRefs(): (Ref & { readonly symbolicTo?: string })[] {
    const refs: (Ref & { readonly symbolicTo?: string })[] = this.refs.list();
    for (const { name, target } of readSymbolicRefs(this.commonDir)) {
      const ref = this.refs.resolve(target);
      if (ref) refs.push({ ...ref, name, symbolicTo: target });
    }
    return refs.sort((a, b) => compareRefNames(a.name, b.name));
  }

  /** What the repository's own configuration file says. @throws BadConfig */
  get config(): Config {
    const path = join(this.commonDir, "config");
    this.settings ??= Config.parse(existsSync(path) ? readFileSync(path) : new Uint8Array(0));
    return this.settings;
  }

  withPeeled(ref: Ref): Ref {
    const peeled = this.store.header(ref.oid)?.type === "tag" ? peelTags(this.store, ref.oid) : undefined;
    return peeled === undefined ? ref : { ...ref, peeled };
  }

  /**
   * The object a revision names, in the whole language of gitrevisions(7).
   * @throws UnknownRevision, AmbiguousRevision, RevisionRefused
   */
  oidOf(revision: string): Oid {
    return new RevisionLanguage(this).find(revision);
  }

  /** The same; undefined when the text names nothing here. */
  find(revision: string): Oid | undefined {
    try {
      return this.oidOf(revision);
    } catch (error) {
      if (error instanceof UnknownRevision || error instanceof AmbiguousRevision) return undefined;
      throw error;
    }
  }

  /** Whether there is such an object; the empty tree always is, as in git. */
  has(oid: Oid): boolean {
    return this.store.has(oid) || oid === this.store.format.emptyTree;
  }

  close(): void {
    this.store.close();
  }
}

function gitDirAt(folder: string): string | undefined {
  if (isRepository(folder)) return folder;
  const inside = join(folder, ".git");
  const found = statSync(inside, { throwIfNoEntry: false });
  if (found?.isDirectory()) return isRepository(inside) ? inside : undefined;
  const pointed = found?.isFile() ? /^gitdir: (.+?)\s*$/.exec(readFileSync(inside, "utf8"))?.[1] : undefined;
  return pointed === undefined ? undefined : resolve(folder, pointed);
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, "HEAD")) && existsSync(join(commonDirOf(folder), "objects"));
}

function commonDirOf(gitDir: string): string {
  const path = join(gitDir, "commondir");
  return existsSync(path) ? resolve(gitDir, readFileSync(path, "utf8").trim()) : gitDir;
}

function replacementsOf(refs: FolderRefs): Map<Oid, Oid> {
  const prefix = "refs/replace/";
  return new Map(refs.list(prefix).map(({ name, oid }) => [name.slice(prefix.length), oid]));
}
