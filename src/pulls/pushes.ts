import { asAccount, operator, type Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { EventContext } from "../events/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { RefChange } from "../git/refs/types.ts";
import type { IdentityService } from "../identity/service.ts";
import { contextOf, eventOf } from "../issues/context.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { Conflict, Failure } from "../kernel/errors.ts";
import type { RefMove } from "../repos/events.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { PullChecks } from "./checks/service.ts";
import type { PullObjects } from "./objects.ts";
import { PushEntries } from "./push-entries.ts";
import type { Retargeting } from "./retargeting.ts";
import type { CodeOwners } from "./review/owners.ts";
import type { ReviewStaleness } from "./review/staleness.ts";
import type { PullService } from "./service.ts";
import type { PullState } from "./state.ts";
import * as store from "./store.ts";
import { pullRef, type SeenPull } from "./types.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** The head of a pull request moved; the job handles the consequences. */
    "pull.pushed": { issueId: number; userId: number | null };
    "pulls.base-moved": { repoId: number; branch: string };
    "pulls.branch-deleted": { repoId: number; branch: string; userId: number | null };
  }
}

export interface PushParts {
  readonly checks: PullChecks;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly objects: PullObjects;
  readonly outbox: Outbox;
  readonly owners: CodeOwners;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly retargeting: Retargeting;
  readonly staleness: ReviewStaleness;
  readonly state: PullState;
  readonly storage: RepoStorage;
  readonly timeline: Timeline;
}

/** The effects of pushes on pull requests (contract pulls.md 14 and 16). */
export class PullPushes {
  private readonly entries: PushEntries;

  constructor(private readonly parts: PushParts) {
    this.entries = new PushEntries(parts.db, parts.timeline);
  }

  /** Moves the refs of pull requests whose branch is in the same repository, atomically with that branch. */
  follow(folderId: number, moves: readonly RefMove[]): RefChange[] {
    const { db, refs } = this.parts;
    const branches = moves.filter(({ name, newOid }) => newOid !== null && name.startsWith(BRANCHES));
    if (branches.length === 0 || !store.hasOpen(db, folderId)) return [];
    return branches.flatMap(({ name, newOid }) =>
      store.openByHead(db, folderId, name.slice(BRANCHES.length)).flatMap((pull) => {
        if (pull.repoId !== folderId) return [];
        const ref = pullRef(pull);
        const oldOid = refs.find(folderId, ref)?.oid ?? null;
        return oldOid === newOid ? [] : [{ name: ref, oldOid, newOid }];
      }),
    );
  }

  /** Runs in the transaction that changes the refs. */
  moved({ repoId, principal }: EventContext, moves: readonly RefMove[]): void {
    const { db, jobs } = this.parts;
    const branches = moves.filter(({ name }) => name.startsWith(BRANCHES));
    if (repoId === undefined || branches.length === 0 || !store.hasOpen(db, repoId)) return;
    const userId = principal?.userId ?? null;
    for (const { name, newOid } of branches) {
      const branch = name.slice(BRANCHES.length);
      const heads = store.openByHead(db, repoId, branch);
      if (newOid === null) {
        if (heads.length > 0 || store.openByBase(db, repoId, branch).length > 0)
          jobs.enqueue("pulls.branch-deleted", { repoId, branch, userId });
        continue;
      }
      for (const pull of heads) {
        // For another repository, the objects must be copied first.
        if (pull.repoId === repoId) store.setHead(db, pull.issueId, newOid);
        else store.setStatus(db, pull.issueId, "checking");
        jobs.enqueue("pull.pushed", { issueId: pull.issueId, userId });
      }
      this.recheckBase(repoId, branch);
    }
  }

  /** Schedules a check of all open ones of a base. Joins the running transaction. */
  recheckBase(repoId: number, branch: string): void {
    const { db, jobs } = this.parts;
    if (store.uncheckBase(db, repoId, branch) > 0)
      jobs.enqueue("pulls.base-moved", { repoId, branch }, { uniqueKey: `pulls.base-moved ${repoId} ${branch}` });
  }

  /** A repository is being deleted, in this transaction: pull requests from its branches remain, closed. */
  repoDeleted(repoId: number, userId: number | undefined): void {
    const { db, pulls, state } = this.parts;
    for (const pull of store.openFromRepo(db, repoId)) {
      const item = pulls.byId(operator, pull.issueId);
      if (item) state.closeWithout(this.as(item, this.accountOr(userId ?? null)));
    }
  }

  /** A pull request was deleted with its item: deletes its ref in the same transaction. */
  pullDeleted(repoId: number, number: number, principal: Principal): void {
    const { refs } = this.parts;
    const name = pullRef({ number });
    const present = refs.find(repoId, name)?.oid;
    if (present !== undefined)
      refs.change(repoId, { principal, changes: [{ name, oldOid: present, newOid: null }], atomic: true });
  }

  /**
   * A pull request was restored with its item: recreates the ref to its head in the same transaction.
   * @throws Conflict if the head's commits are gone
   */
  pullRestored(repoId: number, issueId: number): void {
    const { db, jobs, pulls, refs } = this.parts;
    const found = pulls.byId(operator, issueId);
    if (!found) throw new Conflict("issue.not-restorable");
    const { pull } = found;
    // An imported one may have lost its head.
    if (pull.headOid === "") return;
    const changes = [{ name: pullRef(pull), oldOid: null, newOid: pull.headOid }];
    const [result] = refs.change(repoId, { principal: operator, changes, atomic: true });
    if (!result?.ok) throw new Conflict("issue.not-restorable");
    if (!pull.isOpen) return;
    store.setStatus(db, issueId, "checking");
    jobs.enqueue("pull.pushed", { issueId, userId: null });
  }

  /** Brings the pull request up to date with its branch, and updates the timeline, reviews and code owners. */
  async announce(issueId: number, principal: Principal): Promise<void> {
    const { checks, db, outbox, owners, pool, pulls, staleness, storage } = this.parts;
    const found = pulls.byId(operator, issueId);
    if (!found?.pull.isOpen) return;
    const item = this.as(await this.bring(found), principal);
    const { pull, seen } = item;
    const { announcedHead, headOid } = pull;
    if (pull.isOpen && announcedHead !== headOid) {
      const input = {
        repoDir: storage.dirOf(seen.repo.id),
        oldHead: announcedHead || undefined,
        newHead: headOid,
        base: pulls.baseTip(pull) ?? pull.mergeBase ?? headOid,
      };
      const facts = await pool.run("pulls.pushed", input);
      const carried = await staleness.carry(item, announcedHead, facts.mergeBase);
      const examined = await checks.look(item);
      db.transaction(() => {
        const now = store.findPull(db, issueId);
        if (now?.announcedHead !== announcedHead) return;
        store.setAnnounced(db, issueId, headOid);
        this.entries.add(item, { ...facts, before: announcedHead, after: headOid });
        staleness.headMoved(item, facts.changesContent, carried);
        // Listeners of the push also get its size.
        if (examined) checks.note(item, examined);
        const payload = { ...eventOf(item.issue), before: announcedHead, after: headOid };
        outbox.append("pull.synchronized", contextOf(seen, item.issue), payload);
      });
    }
    await checks.refresh(issueId);
    const now = pulls.byId(operator, issueId);
    if (now) await owners.ask(now);
  }

  /** The pull request once all effects of its latest push are known: an approval may no longer count. */
  async caughtUp(item: SeenPull): Promise<SeenPull> {
    const { pulls, refs } = this.parts;
    const { announcedHead, headBranch, headOid, headRepoId, isAgit, repoId } = item.pull;
    if (announcedHead === headOid || !item.pull.isOpen) return item;
    const pusherId = refs.lastMover(headRepoId ?? repoId, isAgit ? pullRef(item.pull) : BRANCHES + headBranch);
    await this.announce(item.issue.id, this.accountOr(pusherId ?? null));
    return pulls.refreshed(item);
  }

  /** Fetches the current state of a fork's branch. */
  private async bring(item: SeenPull): Promise<SeenPull> {
    const { db, objects, pulls, refs, state, storage } = this.parts;
    const { pull, seen } = item;
    const tip = pulls.headTip(pull);
    if (tip === undefined || tip === pull.headOid || pull.headRepoId === undefined) return item;
    const release = storage.writing(seen.repo.id);
    try {
      await objects.bring(pull.headRepoId, seen.repo.id, tip);
      db.transaction(() => {
        const now = store.findPull(db, item.issue.id);
        if (now?.isOpen && now.headOid === pull.headOid) state.moveRef({ ...item, pull: now }, tip);
      });
    } finally {
      release();
    }
    await refs.projected();
    return pulls.refreshed(item);
  }

  /** Closes pull requests that had the branch as their head, and retargets those based on it to the default branch. */
  async branchDeleted(repoId: number, branch: string, principal: Principal): Promise<void> {
    const { checks, db, pulls, refs, repos, retargeting, state } = this.parts;
    // It was renamed, or is back.
    if (refs.find(repoId, BRANCHES + branch)) return;
    for (const { issueId } of store.openByHead(db, repoId, branch)) {
      const item = pulls.byId(operator, issueId);
      if (item) state.closeWithout(this.as(item, principal), branch);
    }
    const defaultBranch = repos.byId(repoId)?.defaultBranch ?? branch;
    for (const { issueId } of store.openByBase(db, repoId, branch)) {
      const found = pulls.byId(operator, issueId);
      if (!found) continue;
      const item = this.as(found, principal);
      try {
        const tip = refs.find(repoId, BRANCHES + defaultBranch)?.oid;
        if (tip === undefined) throw new Failure(404, "branch.missing");
        const base = await retargeting.prepare(item, defaultBranch, tip);
        db.transaction(() => {
          const pull = store.findPull(db, issueId);
          // Someone retargeted it meanwhile, or it is closed.
          if (pull?.isOpen && pull.baseBranch === branch) retargeting.apply({ ...item, pull }, base);
        });
        await checks.refresh(issueId);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        state.closeWithout(item, branch);
      }
    }
  }

  /** The same item, acted on by this principal. */
  private as(item: SeenPull, principal: Principal): SeenPull {
    return { ...item, seen: { ...item.seen, principal } };
  }

  /** The account that did it, or the operator if it no longer exists. */
  accountOr(userId: number | null): Principal {
    const user = userId === null ? undefined : this.parts.identity.byId(userId);
    return user ? asAccount(user) : operator;
  }
}
