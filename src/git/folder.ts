import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { GitError } from "./errors.ts";
import { Commits } from "./graph/commits.ts";
import { peelTags } from "./graph/peel.ts";
import { CommitGraph } from "./graph/reader.ts";
import { ObjectStore, type StoreOptions } from "./objects/store.ts";
import { FolderRefs } from "./refs/folder.ts";

/** There is no git repository where one was looked for. */
export class NoRepository extends GitError {
  override name = "NoRepository";
}

/**
 * A git repository in a folder, as real git keeps it: bare, or the `.git` of a working tree, linked ones included. For
 * tools at the terminal and tests; Hearth's own repositories have their refs in the database.
 */
export class RepositoryFolder {
  private walked: Commits | undefined;

  private constructor(
    /** Where `HEAD` is. */
    readonly gitDir: string,
    /** Where objects and shared refs are: `gitDir`, but for linked working trees. */
    readonly commonDir: string,
    readonly store: ObjectStore,
    readonly refs: FolderRefs,
  ) {}

  /**
   * Opens the repository that `folder` is, or is a working tree of, or is inside of.
   * @throws NoRepository
   */
  static find(folder: string, options: StoreOptions = {}): RepositoryFolder {
    for (let at = resolve(folder); ; at = dirname(at)) {
      const gitDir = gitDirAt(at);
      if (gitDir !== undefined) return RepositoryFolder.open(gitDir, options);
      if (dirname(at) === at) break;
    }
    throw new NoRepository("not a git repository (or any of the parent directories): .git");
  }

  private static open(gitDir: string, options: StoreOptions): RepositoryFolder {
    const commonDir = commonDirOf(gitDir);
    const store = ObjectStore.open(commonDir, options);
    const refs = new FolderRefs(commonDir, (oid) => {
      const peeled = store.header(oid)?.type === "tag" ? peelTags(store, oid) : undefined;
      return peeled;
    });
    return new RepositoryFolder(gitDir, commonDir, store, refs);
  }

  /** The commits, with the help of the commit-graph where there is one. */
  get commits(): Commits {
    this.walked ??= new Commits(this.store, CommitGraph.open(this.commonDir), shallowOf(this.commonDir));
    return this.walked;
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

/** The commits a shallow clone ends at. */
function shallowOf(commonDir: string): ReadonlySet<string> {
  const path = join(commonDir, "shallow");
  return new Set(existsSync(path) ? readFileSync(path, "latin1").split("\n").filter(Boolean) : []);
}
