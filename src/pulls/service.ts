import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { IdentityService } from "../identity/service.ts";
import type { IssueService } from "../issues/service.ts";
import type { SeenIssue } from "../issues/types.ts";
import { BadRequest, Forbidden, NotFound } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { PullHeads } from "./heads.ts";
import { type ListedPulls, listPulls, pinnedPulls } from "./list-store.ts";
import * as store from "./store.ts";
import type { Pull, SeenPull } from "./types.ts";

/** The filter of a pull request list, as given in requests. */
export interface PullFilter extends Omit<ListedPulls, "posterId"> {
  readonly poster: string;
}

/** Finds and lists pull requests (contract pulls.md 4 and 5). */
export class PullService {
  constructor(
    private readonly db: Database,
    private readonly issues: IssueService,
    private readonly identity: IdentityService,
    private readonly refs: RefService,
    private readonly heads: PullHeads,
  ) {}

  /**
   * @throws NotFound if there are no pull requests here, or none that may be read; Forbidden if the code may not be
   *   read
   */
  requireReadable(seen: SeenRepo): void {
    if (!atLeast(this.issues.levelOn(seen, { isPull: true }), "read")) throw new NotFound();
    if (!atLeast(seen.access.on("code"), "read")) throw new Forbidden("repository.needs-read");
  }

  /** The pull request of a repository with this number. @throws NotFound also for the number of an issue; Forbidden */
  see(seen: SeenRepo, number: number): SeenPull {
    this.requireReadable(seen);
    const item = this.issues.see(seen, number);
    const found = item.issue.isPull ? this.of(item) : undefined;
    if (!found) throw new NotFound();
    return found;
  }

  /** The pull request that an item is, if it is one. */
  of(item: SeenIssue): SeenPull | undefined {
    const pull = store.findPull(this.db, item.issue.id);
    return pull && { ...item, pull };
  }

  /** The pull requests among these items. */
  ofEach(items: readonly SeenIssue[]): SeenPull[] {
    const ids = items.flatMap(({ issue }) => (issue.isPull ? [issue.id] : []));
    if (ids.length === 0) return [];
    const pulls = store.findPulls(this.db, ids);
    return items.flatMap((item) => {
      const pull = pulls.get(item.issue.id);
      return pull ? [{ ...item, pull }] : [];
    });
  }

  /** The merge times of those items that are pull requests, by item id; undefined for unmerged ones. */
  mergeTimes(items: readonly SeenIssue[]): Map<number, number | undefined> {
    return store.mergeTimes(
      this.db,
      items.flatMap(({ issue }) => (issue.isPull && issue.isClosed ? [issue.id] : [])),
    );
  }

  /** Whether this account has had a pull request merged here. */
  hasMergedOf(repoId: number, userId: number): boolean {
    return store.hasMergedOf(this.db, repoId, userId);
  }

  /** By the id of its item, as the principal sees it. undefined if it is gone or may not be seen. */
  byId(principal: Principal, issueId: number): SeenPull | undefined {
    const [item] = this.issues.seeEach(principal, [issueId]);
    return item && this.of(item);
  }

  /** The pull request in its current state. @throws NotFound if it was deleted or hidden meanwhile */
  refreshed({ seen, issue }: SeenPull): SeenPull {
    const found = this.byId(seen.principal, issue.id);
    if (!found) throw new NotFound();
    return found;
  }

  /** @throws BadRequest if the poster is unknown */
  list(seen: SeenRepo, { poster, ...filter }: PullFilter, paging: Paging): Slice<SeenPull> {
    this.requireReadable(seen);
    const user =
      poster === "" ? undefined : this.identity.seenByLogins(seen.principal, [poster]).get(poster.toLowerCase());
    if (poster !== "" && !user) throw new BadRequest("pull.unknown-poster", { params: { name: poster } });
    const { ids, total } = listPulls(this.db, seen.repo.id, { ...filter, posterId: user?.id }, paging);
    return { items: this.ofEach(this.issues.inRepo(seen, ids)), total };
  }

  /** In pin order. */
  pinned(seen: SeenRepo): SeenPull[] {
    this.requireReadable(seen);
    return this.ofEach(this.issues.inRepo(seen, pinnedPulls(this.db, seen.repo.id)));
  }

  /** The pull request between two branches: the open one, otherwise the newest. @throws NotFound */
  between(seen: SeenRepo, baseBranch: string, head: string): SeenPull {
    this.requireReadable(seen);
    const { repo, branch } = this.heads.named(seen, head);
    const [pull] = store.between(this.db, {
      repoId: seen.repo.id,
      baseBranch,
      headRepoId: repo.id,
      headBranch: branch,
    });
    const found = pull && this.byId(seen.principal, pull.issueId);
    if (!found) throw new NotFound();
    return found;
  }

  /** The open one between two branches, if there is one. */
  openBetween(pair: store.BranchPair): Pull | undefined {
    return store.between(this.db, pair).find(({ isOpen }) => isOpen);
  }

  /** The open ones with this branch as their head. */
  openFrom(repoId: number, branch: string): Pull[] {
    return store.openByHead(this.db, repoId, branch);
  }

  /** The name, on its original forge, of who merged an imported one; empty if unknown. */
  mergerElsewhere({ issueId }: Pull): string {
    return store.mergerElsewhere(this.db, issueId);
  }

  /** The pull request whose merge made that commit. @throws NotFound */
  mergedAs(seen: SeenRepo, commit: Oid): SeenPull {
    this.requireReadable(seen);
    const pull = store.mergedAs(this.db, seen.repo.id, commit);
    const found = pull && this.byId(seen.principal, pull.issueId);
    if (!found) throw new NotFound("pull.missing", { params: { repo: seen.repo.id } });
    return found;
  }

  /** The current tip of the base branch; undefined if it is gone. */
  baseTip({ repoId, baseBranch }: Pick<Pull, "repoId" | "baseBranch">): Oid | undefined {
    return this.refs.find(repoId, BRANCHES + baseBranch)?.oid;
  }

  /** The current tip of the head branch; undefined if it is gone or never existed. */
  headTip({ headRepoId, headBranch, isAgit }: Pick<Pull, "headRepoId" | "headBranch" | "isAgit">): Oid | undefined {
    return isAgit || headRepoId === undefined ? undefined : this.refs.find(headRepoId, BRANCHES + headBranch)?.oid;
  }

  /** The current branch tips of many, with one lookup of refs. @returns `baseTip` and `headTip` for those */
  tipsOf(pulls: readonly Pull[]): Pick<PullService, "baseTip" | "headTip"> {
    const tipAt = this.refs.tipsAt(
      pulls.flatMap(({ baseBranch, headBranch, headRepoId, isAgit, repoId }) => [
        [repoId, BRANCHES + baseBranch] as const,
        ...(isAgit || headRepoId === undefined ? [] : [[headRepoId, BRANCHES + headBranch] as const]),
      ]),
    );
    return {
      baseTip: ({ repoId, baseBranch }) => tipAt(repoId, BRANCHES + baseBranch),
      headTip: ({ headRepoId, headBranch, isAgit }) =>
        isAgit || headRepoId === undefined ? undefined : tipAt(headRepoId, BRANCHES + headBranch),
    };
  }

  /** The visible pull requests with these item ids, in order. */
  shown({ principal }: Pick<SeenRepo, "principal">, ids: readonly number[]): SeenPull[] {
    return this.ofEach(this.issues.seeEach(principal, ids));
  }
}
