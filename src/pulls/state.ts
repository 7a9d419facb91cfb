import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { Oid } from "../git/objects/types.ts";
import { contextOf, eventOf } from "../issues/context.ts";
import type { ItemStates } from "../issues/state.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { BadRequest, Conflict, PreconditionFailed } from "../kernel/errors.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import { pullExists } from "./creation.ts";
import type { PullService } from "./service.ts";
import * as store from "./store.ts";
import { isMerged, type Pull, pullRef, type SeenPull } from "./types.ts";

export interface StateParts {
  readonly db: Database;
  readonly itemStates: ItemStates;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly repos: Pick<RepoService, "byId">;
  readonly timeline: Timeline;
}

/**
 * Closing, reopening and retargeting (contract pulls.md 5.4, 5.5 and 16); the caller must have checked permissions.
 * Opening and closing as such is done by `ItemStates`; the effects on the ref of a pull request are determined
 * afterwards.
 */
export class PullState {
  constructor(private readonly parts: StateParts) {}

  /**
   * Closes one whose branch is gone, despite any dependencies. Does nothing if it is closed. Joins the running
   * transaction.
   * @param deleted the branch that was deleted
   */
  closeWithout(item: SeenPull, deleted?: string): void {
    const { db, itemStates, timeline } = this.parts;
    db.transaction(() => {
      if (itemStates.set(item, true, { despiteDependencies: true }) && deleted !== undefined)
        timeline.append(item, { kind: "delete_branch", oldText: deleted });
    });
  }

  /** Refuses forbidden state changes of a pull request, however they are requested. @throws Failure */
  guard(item: SeenPull, isClosed: boolean): void {
    if (isMerged(item.pull)) throw new PreconditionFailed("pull.already-merged-state", { field: "state" });
    if (!isClosed && !item.pull.isOpen) this.requireReopenable(item.pull);
  }

  /** Points the ref of a pull request at that commit, whose objects are present. Joins the running transaction. */
  moveRef({ issue, pull, seen }: SeenPull, oid: Oid): void {
    const { db, jobs, refs } = this.parts;
    const name = pullRef(pull);
    const present = refs.find(seen.repo.id, name)?.oid ?? null;
    if (present !== oid) {
      const changes = [{ name, oldOid: present, newOid: oid }];
      const [result] = refs.change(seen.repo.id, { principal: seen.principal, changes, atomic: true });
      if (!result?.ok) throw new Conflict("branch.changed");
    }
    store.setHead(db, issue.id, oid);
    if (oid !== pull.announcedHead)
      jobs.enqueue("pull.pushed", { issueId: issue.id, userId: seen.principal.user?.id ?? null });
  }

  /**
   * Gives it another base branch. A check then determines its state there.
   * @throws Conflict if these branches already have one
   */
  retarget(item: SeenPull, branch: string): void {
    const { db, outbox, pulls, timeline } = this.parts;
    const { issue, pull, seen } = item;
    db.transaction(() => {
      const { headBranch, headRepoId, isAgit, repoId } = pull;
      const other =
        headRepoId === undefined
          ? undefined
          : pulls.openBetween({ repoId, baseBranch: branch, headRepoId, headBranch, isAgit });
      if (other && other.issueId !== issue.id) throw pullExists(other);
      store.setBase(db, issue.id, branch);
      timeline.append(item, { kind: "change_target_branch", oldText: pull.baseBranch, newText: branch });
      const payload = { ...eventOf(issue), from: pull.baseBranch, to: branch };
      outbox.append("pull.retargeted", contextOf(seen, issue), payload);
    });
  }

  /** @throws Conflict if another one of these branches is open; BadRequest if a branch is gone */
  private requireReopenable(pull: Pull): void {
    const { pulls, repos } = this.parts;
    const { baseBranch, headBranch, headRepoId, isAgit, repoId } = pull;
    const other =
      headRepoId === undefined ? undefined : pulls.openBetween({ repoId, baseBranch, headRepoId, headBranch, isAgit });
    if (other) throw pullExists(other);
    if (pulls.baseTip(pull) === undefined) throw new BadRequest("pull.base-gone", { params: { name: baseBranch } });
    if (isAgit) return;
    // A deleted fork keeps its refs until it leaves the bin.
    const isHeadThere = headRepoId !== undefined && repos.byId(headRepoId)?.isBinned === false;
    if (!isHeadThere || pulls.headTip(pull) === undefined)
      throw new BadRequest("pull.head-gone", { params: { name: headBranch } });
  }
}
