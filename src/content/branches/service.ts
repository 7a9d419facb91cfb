import { atLeast } from "../../access/levels.ts";
import type { Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import { isAncestor } from "../../git/history/ancestry.ts";
import { parseCommitLinks } from "../../git/objects/commit.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { RefChange } from "../../git/refs/types.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";
import type { HistoryService } from "../history/service.ts";
import { BRANCHES, checkNewRefName, TAGS } from "../ref-names.ts";
import type { RevisionService } from "../revisions/service.ts";
import type { RenamedBranches } from "./renamed-store.ts";

export interface Branch {
  readonly name: string;
  readonly commit: Oid;
  /** Committer time of its newest commit, in seconds since 1970. */
  readonly time: number;
}

const BRANCH_BYTES = 250;

/** Branches: listing, making, moving, renaming and deleting them (contract git-content.md 8). */
export class BranchService {
  /** Sorting needs the time of every branch: kept until a ref changes. */
  private readonly sorted: Cache<string, readonly Branch[]>;

  constructor(
    private readonly db: Database,
    private readonly refs: RefService,
    private readonly repos: RepoService,
    private readonly storage: RepoStorage,
    private readonly revisions: RevisionService,
    private readonly history: HistoryService,
    private readonly renamed: RenamedBranches,
    caches: CacheBudget,
  ) {
    this.sorted = caches.cache((branches) => branches.length * BRANCH_BYTES);
  }

  /** All branches, those with the newest commits first. */
  all(repo: Repo): readonly Branch[] {
    const key = `${repo.id} ${repo.refsVersion}`;
    const known = this.sorted.get(key);
    if (known) return known;
    const branches = this.refs
      .list(repo.id, BRANCHES)
      .map(({ name, oid }) => ({ name: name.slice(BRANCHES.length), commit: oid, time: this.timeOf(repo, oid) }));
    branches.sort((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
    this.sorted.set(key, branches);
    return branches;
  }

  /** @param part of the name, any letter case; empty: all */
  list(repo: Repo, paging: Paging, part = ""): Slice<Branch> {
    const wanted = part.toLowerCase();
    const found = this.all(repo).filter(({ name }) => name.toLowerCase().includes(wanted));
    return { items: found.slice(paging.offset, paging.offset + paging.limit), total: found.length };
  }

  /** @throws NotFound */
  get(repo: Repo, name: string): Branch {
    const ref = this.refs.find(repo.id, BRANCHES + name);
    if (!ref) throw new NotFound();
    return { name, commit: ref.oid, time: this.timeOf(repo, ref.oid) };
  }

  /** The name a branch has now that had this one before; undefined when there is none, or the name is in use. */
  renamedTo(repo: Repo, formerName: string): string | undefined {
    if (this.refs.find(repo.id, BRANCHES + formerName)) return undefined;
    const present = this.renamed.presentName(repo.id, formerName);
    return present !== undefined && this.refs.find(repo.id, BRANCHES + present) ? present : undefined;
  }

  /**
   * @param from a branch, tag or id; absent: the default branch. `fromBranch`: a branch only
   * @throws NotFound the source; Conflict the name is taken; ValidationFailed the name
   */
  create(
    { repo, principal }: SeenRepo,
    wished: { name: string; from?: string | undefined; fromBranch?: string | undefined },
  ): Branch {
    if (repo.isEmpty) throw new NotFound("repository.empty-git");
    checkNewRefName(wished.name, "BranchName");
    const source = wished.from
      ? this.revisions.named(repo, wished.from)
      : wished.fromBranch
        ? this.revisions.branch(repo, wished.fromBranch)
        : this.revisions.head(repo);
    if (!source) throw new NotFound("branch.source-missing");
    if (this.refs.find(repo.id, BRANCHES + wished.name)) throw new Conflict("branch.exists");
    if (this.refs.find(repo.id, TAGS + wished.name)) throw new Conflict("branch.tag-of-that-name");
    this.change(repo, principal, [{ name: BRANCHES + wished.name, oldOid: null, newOid: source.commit }]);
    return this.get(repo, wished.name);
  }

  /**
   * Moves a branch to another commit.
   * @throws NotFound the branch or the commit; ValidationFailed it is elsewhere than `expected`, or would lose commits
   */
  move(
    { repo, principal }: SeenRepo,
    name: string,
    wished: { to: string; expected?: string | undefined; force?: boolean | undefined },
  ): void {
    const { commit: present } = this.get(repo, name);
    if (wished.expected && wished.expected !== present)
      throw new ValidationFailed("branch.not-at-commit", {
        field: "old_commit_id",
        params: { expected: wished.expected, present },
      });
    const target = this.revisions.commit(repo, wished.to)?.oid;
    if (!target) throw new NotFound("commit.missing-id", { params: { id: wished.to } });
    if (target === present) return;
    if (!wished.force && !isAncestor(this.history.commits(repo), present, target))
      throw new ValidationFailed("branch.force-needed", { field: "force", params: { present, target } });
    this.change(repo, principal, [{ name: BRANCHES + name, oldOid: present, newOid: target }]);
  }

  /**
   * The default branch stays the default under its new name, and the old name leads to it.
   * @throws NotFound; ValidationFailed the same or a taken name; Forbidden the default branch by a mere writer
   */
  rename(seen: SeenRepo, from: string, to: string): void {
    const { repo, principal } = seen;
    const source = this.refs.find(repo.id, BRANCHES + from);
    if (!source) throw new NotFound("branch.missing-to-rename");
    if (from === to || this.refs.find(repo.id, BRANCHES + to))
      throw new ValidationFailed("branch.rename-taken", { field: "name" });
    checkNewRefName(to, "Name");
    if (from === repo.defaultBranch && !atLeast(seen.access.level, "admin"))
      throw new Forbidden("branch.rename-default-refused");
    this.db.transaction(() => {
      this.change(
        repo,
        principal,
        [
          { name: BRANCHES + from, oldOid: source.oid, newOid: null },
          { name: BRANCHES + to, oldOid: null, newOid: source.oid },
        ],
        () => this.renamed.record(repo.id, from, to),
      );
      if (from === repo.defaultBranch) this.repos.followDefaultBranch(repo.id, to);
    });
  }

  /** @throws NotFound; Forbidden the default branch */
  remove({ repo, principal }: SeenRepo, name: string): void {
    const { commit } = this.get(repo, name);
    if (name === repo.defaultBranch) throw new Forbidden("branch.delete-default-refused");
    this.change(repo, principal, [{ name: BRANCHES + name, oldOid: commit, newOid: null }]);
  }

  private change(repo: Repo, principal: Principal, changes: RefChange[], alongside?: () => void): void {
    const results = this.refs.change(repo.id, {
      principal,
      changes,
      atomic: true,
      ...(alongside ? { alongside } : {}),
    });
    if (results.every((result) => result.ok)) return;
    const created = changes.find((change) => change.oldOid === null);
    if (created) throw new Conflict("branch.same-name");
    throw new Conflict("branch.changed");
  }

  private timeOf(repo: Repo, commit: Oid): number {
    const object = this.storage.objects(repo.id).read(commit);
    return object?.type === "commit" ? parseCommitLinks(object.data).committerTime : 0;
  }
}
