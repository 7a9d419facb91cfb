import type { Oid } from "../../git/objects/types.ts";
import { isOid } from "../../git/objects/types.ts";
import {
  AmbiguousRevision,
  type Resolved,
  resolveCommit,
  resolveRevision,
  UnknownRevision,
} from "../../git/revisions.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo } from "../../repos/types.ts";
import type { RenamedBranches } from "../branches/renamed-store.ts";
import { BRANCHES, TAGS } from "../ref-names.ts";

/** What a ref of a request turned out to be. */
export interface NamedCommit {
  readonly kind: "branch" | "tag" | "commit";
  /** Short name of the branch or tag, or the full id. */
  readonly name: string;
  readonly commit: Oid;
}

/**
 * Finds the commits that requests name (contract git-content.md 2.1 and 2.2). A full id names any object the
 * repository stores, reachable or not, until it is pruned: repositories share no objects, so it can show nothing that
 * was not pushed to this very repository.
 */
export class RevisionService {
  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly renamed: RenamedBranches,
  ) {}

  branch(repo: Repo, name: string): NamedCommit | undefined {
    const ref = this.refs.find(repo.id, BRANCHES + name);
    return ref && { kind: "branch", name, commit: ref.oid };
  }

  /** undefined also for a tag of something that is no commit. */
  tag(repo: Repo, name: string): NamedCommit | undefined {
    const ref = this.refs.find(repo.id, TAGS + name);
    const commit = ref && (ref.peeled ?? ref.oid);
    if (!commit || this.storage.objects(repo.id).header(commit)?.type !== "commit") return undefined;
    return { kind: "tag", name, commit };
  }

  /** The default branch; undefined while the repository is empty. */
  head(repo: Repo): NamedCommit | undefined {
    return this.branch(repo, repo.defaultBranch);
  }

  /**
   * A branch, a tag or an id, in this order; `HEAD`, full names and beginnings of ids are taken too.
   * @param ref empty: the default branch
   * @throws NotFound
   */
  strict(repo: Repo, ref: string): NamedCommit {
    const found = ref === "" ? this.head(repo) : this.named(repo, ref);
    if (!found) throw new NotFound("object.missing", { params: { id: ref || repo.defaultBranch } });
    return found;
  }

  /** The same, with undefined for what is not there. */
  named(repo: Repo, ref: string): NamedCommit | undefined {
    if (ref === "HEAD") return this.head(repo);
    const simple = this.branch(repo, ref) ?? this.tag(repo, ref);
    if (simple) return simple;
    const found = this.commit(repo, ref);
    if (!found) return undefined;
    if (found.ref?.startsWith(BRANCHES))
      return { kind: "branch", name: found.ref.slice(BRANCHES.length), commit: found.oid };
    if (found.ref?.startsWith(TAGS)) return { kind: "tag", name: found.ref.slice(TAGS.length), commit: found.oid };
    return { kind: "commit", name: found.oid, commit: found.oid };
  }

  /**
   * Splits `ref/and/path`: the shortest beginning that is a branch, else a tag, else an id, else all of it is a path
   * of the default branch.
   * @param ref a ref given apart from the path; unknown ones mean the default branch
   * @throws NotFound the repository is empty
   */
  lenient(repo: Repo, path: string, ref: string): { at: NamedCommit; path: string } {
    const whole = (ref === "" ? path : `${ref}/${path}`).split("/");
    const found =
      this.shortest(whole, (name) =>
        name === "HEAD" ? this.head(repo) : (this.branch(repo, name) ?? this.renamedBranch(repo, name)),
      ) ??
      this.shortest(whole, (name) => this.tag(repo, name)) ??
      this.leadingId(repo, whole);
    if (found) return found;
    const at = this.head(repo);
    if (!at) throw new NotFound(repo.isEmpty ? "repository.empty" : "ref.missing");
    return { at, path };
  }

  /** Whatever revision leads to a commit: names, ids, their beginnings, `~2`, `^`. undefined: none, or several. */
  commit(repo: Repo, revision: string): Resolved | undefined {
    return unlessUnknown(() => resolveCommit(this.storage.objects(repo.id), this.refs.readerOf(repo), revision));
  }

  /** Whatever revision names an object. */
  object(repo: Repo, revision: string): Resolved | undefined {
    return unlessUnknown(() => resolveRevision(this.storage.objects(repo.id), this.refs.readerOf(repo), revision));
  }

  private renamedBranch(repo: Repo, name: string): NamedCommit | undefined {
    const present = this.renamed.presentName(repo.id, name);
    return present === undefined ? undefined : this.branch(repo, present);
  }

  private shortest(
    parts: readonly string[],
    find: (name: string) => NamedCommit | undefined,
  ): { at: NamedCommit; path: string } | undefined {
    // A ref's name has at most 255 characters, so no more beginnings than that need to be tried.
    for (let count = 1; count <= Math.min(parts.length, 128); count++) {
      const at = find(parts.slice(0, count).join("/"));
      if (at) return { at, path: parts.slice(count).join("/") };
    }
    return undefined;
  }

  private leadingId(repo: Repo, parts: readonly string[]): { at: NamedCommit; path: string } | undefined {
    const [id = "", ...rest] = parts;
    if (!isOid(id) || this.storage.objects(repo.id).header(id)?.type !== "commit") return undefined;
    return { at: { kind: "commit", name: id, commit: id }, path: rest.join("/") };
  }
}

function unlessUnknown<T>(resolve: () => T): T | undefined {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof UnknownRevision || error instanceof AmbiguousRevision) return undefined;
    throw error;
  }
}
