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

/** What a list of pull requests is narrowed to, as requests say it. */
export interface PullFilter extends Omit<ListedPulls, "posterId"> {
  readonly poster: string;
}

/** Finding and listing pull requests (contract pulls.md 4 and 5). */
export class PullService {
  constructor(
    private readonly db: Database,
    private readonly issues: IssueService,
    private readonly identity: IdentityService,
    private readonly refs: RefService,
    private readonly heads: PullHeads,
  ) {}

  /** @throws NotFound there are no pull requests here, or none that may be read; Forbidden the code may not be read */
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

  /** What an item is besides an issue. */
  of(item: SeenIssue): SeenPull | undefined {
    const pull = store.findPull(this.db, item.issue.id);
    return pull && { ...item, pull };
  }

  /** The same for many: those that are pull requests. */
  ofEach(items: readonly SeenIssue[]): SeenPull[] {
    const ids = items.flatMap(({ issue }) => (issue.isPull ? [issue.id] : []));
    if (ids.length === 0) return [];
    const pulls = store.findPulls(this.db, ids);
    return items.flatMap((item) => {
      const pull = pulls.get(item.issue.id);
      return pull ? [{ ...item, pull }] : [];
    });
  }

  /** When those of the items that are pull requests were merged, by the items' ids; open ones were not. */
  mergeTimes(items: readonly SeenIssue[]): Map<number, number | undefined> {
    return store.mergeTimes(
      this.db,
      items.flatMap(({ issue }) => (issue.isPull && issue.isClosed ? [issue.id] : [])),
    );
  }

  /** Whether one that this account opened was merged here. */
  hasMergedOf(repoId: number, userId: number): boolean {
    return store.hasMergedOf(this.db, repoId, userId);
  }

  /** By the id of its item, as the principal sees it. undefined: it is gone, or may not be seen. */
  byId(principal: Principal, issueId: number): SeenPull | undefined {
    const [item] = this.issues.seeEach(principal, [issueId]);
    return item && this.of(item);
  }

  /** The same pull request as it is now. @throws NotFound it was deleted meanwhile, or taken from sight */
  refreshed({ seen, issue }: SeenPull): SeenPull {
    const found = this.byId(seen.principal, issue.id);
    if (!found) throw new NotFound();
    return found;
  }

  /** @throws BadRequest the poster is unknown */
  list(seen: SeenRepo, { poster, ...filter }: PullFilter, paging: Paging): Slice<SeenPull> {
    this.requireReadable(seen);
    const user =
      poster === "" ? undefined : this.identity.seenByLogins(seen.principal, [poster]).get(poster.toLowerCase());
    if (poster !== "" && !user) throw new BadRequest("pull.unknown-poster", { params: { name: poster } });
    const { ids, total } = listPulls(this.db, seen.repo.id, { ...filter, posterId: user?.id }, paging);
    return { items: this.ofEach(this.issues.inRepo(seen, ids)), total };
  }

  /** In the order of their pins. */
  pinned(seen: SeenRepo): SeenPull[] {
    this.requireReadable(seen);
    return this.ofEach(this.issues.inRepo(seen, pinnedPulls(this.db, seen.repo.id)));
  }

  /** The one between two branches: the open one, else the newest. @throws NotFound */
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

  /** The open ones that a branch is the head of. */
  openFrom(repoId: number, branch: string): Pull[] {
    return store.openByHead(this.db, repoId, branch);
  }

  /** Who merged one that was moved in, by the name they had there; empty: that is not known. */
  mergerElsewhere({ issueId }: Pull): string {
    return store.mergerElsewhere(this.db, issueId);
  }

  /** The one whose merge made that commit. @throws NotFound */
  mergedAs(seen: SeenRepo, commit: Oid): SeenPull {
    this.requireReadable(seen);
    const pull = store.mergedAs(this.db, seen.repo.id, commit);
    const found = pull && this.byId(seen.principal, pull.issueId);
    if (!found) throw new NotFound("pull.missing", { params: { repo: seen.repo.id } });
    return found;
  }

  /** Where the base branch is now; undefined: it is gone. */
  baseTip({ repoId, baseBranch }: Pick<Pull, "repoId" | "baseBranch">): Oid | undefined {
    return this.refs.find(repoId, BRANCHES + baseBranch)?.oid;
  }

  /** Where the head branch is now; undefined: it is gone, or there never was one. */
  headTip({ headRepoId, headBranch, isAgit }: Pick<Pull, "headRepoId" | "headBranch" | "isAgit">): Oid | undefined {
    return isAgit || headRepoId === undefined ? undefined : this.refs.find(headRepoId, BRANCHES + headBranch)?.oid;
  }

  /** Where the branches of many are now, with one look at refs. @returns `baseTip` and `headTip` of those */
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

  /** Those of the ids of items that may be seen, in their order. */
  shown({ principal }: Pick<SeenRepo, "principal">, ids: readonly number[]): SeenPull[] {
    return this.ofEach(this.issues.seeEach(principal, ids));
  }
}
