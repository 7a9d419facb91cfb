import { atLeast } from "../../access/levels.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { AheadBehind } from "../../git/history/ancestry.ts";
import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import type { RefChange } from "../../git/refs/types.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { ChangeVia } from "../../repos/rules/types.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { HistoryService } from "../history/service.ts";
import type { DatedRef } from "../refs/dated-refs.ts";
import type { RuledRefs } from "../refs/ruled.ts";
import type { RefListService } from "../refs/service.ts";
import type { RevisionService } from "../revisions/service.ts";
import { checkNewRefName } from "../values.ts";
import type { RenamedBranches } from "./renamed-store.ts";

export interface Branch {
  readonly name: string;
  readonly commit: Oid;
}

export interface DatedBranch extends Branch {
  /** Committer time of its newest commit, in seconds since 1970. */
  readonly time: number;
}

/** A deleted branch. */
export interface DeletedBranch extends Branch {
  /** The id of the deletion. */
  readonly id: number;
  /** The account that deleted it. */
  readonly by: number | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How many of the latest deletions are searched. */
const MAX_DELETIONS = 100;

/** Selects the branches of a list. */
export interface BranchFilter {
  /** Part of the name, case-insensitive; empty: all. */
  readonly part?: string | undefined;
  /** A branch to leave out. */
  readonly without?: string | undefined;
}

export interface BranchParts {
  readonly history: HistoryService;
  readonly lists: RefListService;
  readonly outbox: Outbox;
  readonly protections: BranchProtections;
  readonly refs: RefService;
  readonly renamed: RenamedBranches;
  readonly repos: RepoService;
  readonly revisions: RevisionService;
  readonly ruled: RuledRefs;
  readonly storage: RepoStorage;
}

/** Lists, creates, moves, renames and deletes branches (contract git-content.md 8). */
export class BranchService {
  constructor(private readonly parts: BranchParts) {}

  /** A page of the branches, newest commits first. */
  async list(seen: SeenRepo, paging: Paging, filter: BranchFilter = {}): Promise<Slice<DatedBranch>> {
    const all = await this.parts.lists.branches(seen);
    const { items, total } = all.page(filter.part ?? "", paging, filter.without);
    return { items: items.map(branchOf), total };
  }

  /** The default branch with its time; undefined if there is none. */
  async default(seen: SeenRepo): Promise<DatedBranch | undefined> {
    const all = await this.parts.lists.branches(seen);
    const found = all.find(seen.repo.defaultBranch);
    return found && branchOf(found);
  }

  /** How far each of these branches has diverged from the default branch, in order. */
  async divergences(seen: SeenRepo, branches: readonly Branch[]): Promise<(AheadBehind | undefined)[]> {
    const main = this.find(seen, seen.repo.defaultBranch);
    if (!main) return branches.map(() => undefined);
    return this.parts.history.aheadBehind(
      seen,
      main.commit,
      branches.map(({ commit }) => commit),
    );
  }

  /** undefined if there is none of that name. */
  find({ repo }: SeenRepo, name: string): Branch | undefined {
    const ref = this.parts.refs.find(repo.id, BRANCHES + name);
    return ref && { name, commit: ref.oid };
  }

  /** @throws NotFound */
  get(seen: SeenRepo, name: string): Branch {
    const found = this.find(seen, name);
    if (!found) throw new NotFound();
    return found;
  }

  /** What the caller may do with these branches, in order: whether `rename` and `remove` would allow it. */
  permissionsOf(seen: SeenRepo, names: readonly string[]): BranchPermissions[] {
    const { repo, access } = seen;
    const mayWrite = !repo.isArchived && atLeast(access.on("code"), "write");
    const isAdmin = atLeast(access.level, "admin");
    return this.parts.protections.statesOf(seen, names).map(({ rule, mayDelete, mayRename }, at) => {
      const isDefault = names[at] === repo.defaultBranch;
      return {
        isProtected: rule !== undefined,
        mayRename: mayWrite && mayRename && (!isDefault || isAdmin),
        mayRemove: mayWrite && mayDelete && !isDefault,
      };
    });
  }

  /** The current name of a branch that used to have this one; undefined if there is none, or the name is in use. */
  renamedTo({ repo }: SeenRepo, formerName: string): string | undefined {
    if (this.parts.refs.find(repo.id, BRANCHES + formerName)) return undefined;
    const present = this.parts.renamed.presentName(repo.id, formerName);
    return present !== undefined && this.parts.refs.find(repo.id, BRANCHES + present) ? present : undefined;
  }

  /**
   * @param from a branch, tag or id; absent: the default branch. `fromBranch`: a branch only
   * @throws NotFound for the source; Conflict if the name is taken; ValidationFailed for the name; Forbidden by a rule
   */
  async create(
    seen: SeenRepo,
    requested: { name: string; from?: string | undefined; fromBranch?: string | undefined },
  ): Promise<Branch> {
    const { repo } = seen;
    if (repo.isEmpty) throw new NotFound("repository.empty-git");
    checkNewRefName(requested.name, "BranchName");
    const { from, fromBranch } = requested;
    const source = await this.parts.revisions.settled(() =>
      from
        ? this.parts.revisions.named(seen, from)
        : fromBranch
          ? this.parts.revisions.branch(seen, fromBranch)
          : this.parts.revisions.head(seen),
    );
    if (!source) throw new NotFound("branch.source-missing");
    if (this.parts.refs.find(repo.id, BRANCHES + requested.name)) throw new Conflict("branch.exists");
    if (this.parts.refs.find(repo.id, TAGS + requested.name)) throw new Conflict("branch.tag-of-that-name");
    await this.change(seen, "ref", [{ name: BRANCHES + requested.name, oldOid: null, newOid: source.commit }]);
    return this.get(seen, requested.name);
  }

  /**
   * Moves a branch to another commit.
   * @throws NotFound for the branch or the commit; ValidationFailed if it is not at `expected`, or would lose commits;
   *   Forbidden by a rule
   */
  async move(
    seen: SeenRepo,
    name: string,
    requested: { to: string; expected?: string | undefined; force?: boolean | undefined },
  ): Promise<void> {
    const present = this.requireAt(seen, name, requested.expected);
    const target = await this.parts.revisions.settled(() => this.parts.revisions.commit(seen, requested.to)?.oid);
    if (!target) throw new NotFound("commit.missing-id", { params: { id: requested.to } });
    if (target === present) return;
    if (!requested.force && !(await this.parts.history.isAncestor(seen, present, target)))
      throw new ValidationFailed("branch.force-needed", { field: "force", params: { present, target } });
    try {
      await this.change(seen, "ref", [{ name: BRANCHES + name, oldOid: present, newOid: target }]);
    } catch (error) {
      // Someone else changed this first: the branch is no longer where the caller expects it.
      if (error instanceof Conflict) this.requireAt(seen, name, requested.expected);
      throw error;
    }
  }

  /**
   * The default branch stays the default under its new name, and the old name redirects to it.
   * @throws NotFound; ValidationFailed if the name is the same or taken; Forbidden for the default branch if the caller
   *   can only write, or by a rule
   */
  async rename(seen: SeenRepo, from: string, to: string): Promise<void> {
    const { repo, owner, principal } = seen;
    const source = this.parts.refs.find(repo.id, BRANCHES + from);
    if (!source) throw new NotFound("branch.missing-to-rename");
    if (from === to || this.parts.refs.find(repo.id, BRANCHES + to))
      throw new ValidationFailed("branch.rename-taken", { field: "name" });
    checkNewRefName(to, "Name");
    if (from === repo.defaultBranch && !atLeast(seen.access.level, "admin"))
      throw new Forbidden("branch.rename-default-refused");
    const changes = [
      { name: BRANCHES + from, oldOid: source.oid, newOid: null },
      { name: BRANCHES + to, oldOid: null, newOid: source.oid },
    ];
    await this.change(seen, "rename", changes, () => {
      this.parts.renamed.record(repo.id, from, to);
      if (from === repo.defaultBranch) this.parts.repos.followDefaultBranch(repo.id, to);
      const about = {
        repoId: repo.id,
        ownerId: owner.id,
        principal: storedPrincipal(principal),
        unit: "code",
      } as const;
      this.parts.outbox.append("branch.renamed", about, { from, to });
    });
  }

  /** @throws NotFound; Forbidden for the default branch, or by a rule */
  async remove(seen: SeenRepo, name: string): Promise<void> {
    const { repo } = seen;
    const { commit } = this.get(seen, name);
    if (name === repo.defaultBranch) throw new Forbidden("branch.delete-default-refused");
    await this.change(seen, "ref", [{ name: BRANCHES + name, oldOid: commit, newOid: null }]);
  }

  /** Recently deleted branches that have not been recreated and can be restored, most recently deleted first. */
  deleted({ repo }: SeenRepo, limit: number): DeletedBranch[] {
    const objects = this.parts.storage.objects(repo.id);
    const found = new Map<string, DeletedBranch>();
    for (const { id, name, oid, actorId, at } of this.parts.refs.deletions(repo.id, MAX_DELETIONS)) {
      if (found.size === limit) break;
      if (!name.startsWith(BRANCHES) || found.has(name) || this.parts.refs.find(repo.id, name) || !objects.has(oid))
        continue;
      found.set(name, { id, name: name.slice(BRANCHES.length), commit: oid, by: actorId ?? undefined, at });
    }
    return [...found.values()];
  }

  /**
   * Restores a deleted branch to where it was.
   * @param id the id of the deletion
   * @throws NotFound if there is none, or its commits are gone; Conflict if a branch of that name exists; Forbidden by
   *   a rule
   */
  async restore(seen: SeenRepo, id: number): Promise<Branch> {
    const { repo } = seen;
    const deletion = this.parts.refs.deletion(repo.id, id);
    if (!deletion?.name.startsWith(BRANCHES) || !this.parts.storage.objects(repo.id).has(deletion.oid))
      throw new NotFound();
    const name = deletion.name.slice(BRANCHES.length);
    await this.bringBack(seen, name, deletion.oid);
    return this.get(seen, name);
  }

  /**
   * Recreates a branch at a commit that the repository still has.
   * @throws Conflict if it exists; Forbidden by a rule
   */
  async bringBack(seen: SeenRepo, name: string, commit: Oid): Promise<void> {
    const { repo } = seen;
    if (this.parts.refs.find(repo.id, BRANCHES + name)) throw new Conflict("branch.exists");
    const held = this.parts.storage.writing(repo.id);
    try {
      await this.change(seen, "ref", [{ name: BRANCHES + name, oldOid: null, newOid: commit }]);
    } finally {
      held();
    }
  }

  /** @returns the tip of the branch. @throws NotFound; ValidationFailed if it is not at `expected` */
  private requireAt(seen: SeenRepo, name: string, expected: string | undefined): Oid {
    const { commit: present } = this.get(seen, name);
    if (!expected || expected === present) return present;
    throw new ValidationFailed("branch.not-at-commit", { field: "old_commit_id", params: { expected, present } });
  }

  private async change(
    seen: SeenRepo,
    via: ChangeVia,
    changes: readonly RefChange[],
    alongside?: () => void,
  ): Promise<void> {
    const results = await this.parts.ruled.change(seen, { via, changes, ...(alongside ? { alongside } : {}) });
    if (results.every((result) => result.ok)) return;
    const created = changes.find((change) => change.oldOid === null);
    if (created) throw new Conflict("branch.same-name");
    throw new Conflict("branch.changed");
  }
}

/** What someone may do with a branch. */
export interface BranchPermissions {
  readonly isProtected: boolean;
  readonly mayRename: boolean;
  readonly mayRemove: boolean;
}

function branchOf({ shortName, oid, time }: DatedRef): DatedBranch {
  return { name: shortName, commit: oid, time };
}
