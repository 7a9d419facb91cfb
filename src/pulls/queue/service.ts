import { accountOf } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, Failure, Forbidden, NotFound } from "../../kernel/errors.ts";
import { checksFail, checksPass } from "../../protections/branches/merge.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { StatusService } from "../../statuses/service.ts";
import type { MergeConditions } from "../merge/conditions.ts";
import type { MergeRequest } from "../merge/types.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import * as store from "./store.ts";
import type { Departure, QueueEntry, QueueState } from "./types.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** The queue of a branch may be able to proceed. */
    "pulls.merge-queue": { repoId: number; branch: string };
  }
}

export interface QueueParts {
  readonly clock: Clock;
  readonly conditions: MergeConditions;
  readonly db: Database;
  readonly jobs: JobQueue;
  readonly protections: BranchProtections;
  readonly pulls: PullService;
  readonly statuses: StatusService;
  readonly timeline: Timeline;
}

/** An entry as displayed. */
export interface QueuePlace {
  readonly entry: QueueEntry;
  readonly item: SeenPull;
  /** 1 is merged next. */
  readonly position: number;
  readonly state: QueueState;
}

/** Entries are tested in order: a longer queue would take too long. */
const MAX_ENTRIES = 100;

/**
 * Pull requests waiting for their turn, if the rule of a branch requires a queue. Each is tested exactly as it will be
 * merged: on top of what the entries before it will make of the branch.
 */
export class MergeQueue {
  constructor(private readonly parts: QueueParts) {}

  /** Whether the rule of a branch requires merges to go through the queue. */
  isRequired(seen: SeenRepo, branch: string): boolean {
    return this.parts.protections.wantsQueue(seen, branch);
  }

  /**
   * Adds it at the end. The checks of its head don't matter: those of its candidate count.
   * @throws Failure 405 if it may not be merged, or the branch has no queue; Conflict if it is already queued, or its
   *   head has moved
   */
  async add(item: SeenPull, request: MergeRequest): Promise<void> {
    const { clock, conditions, db, timeline } = this.parts;
    const { issue, pull, seen } = item;
    conditions.requireMergeable(item);
    if (!this.isRequired(seen, pull.baseBranch)) throw new Failure(405, "pull.no-queue");
    if (request.style === "manually-merged" || request.style === "fast-forward-only")
      throw new Failure(405, "pull.not-in-queue", { params: { style: request.style } });
    if (request.headCommitId !== "" && request.headCommitId !== pull.headOid)
      throw new Conflict("pull.head-out-of-date");
    await conditions.requireQueueable(item, request.style);
    db.transaction(() => {
      if (store.findEntry(db, issue.id)) throw new Conflict("pull.already-queued");
      if (store.entriesOf(db, pull.repoId, pull.baseBranch).length >= MAX_ENTRIES)
        throw new Conflict("pull.queue-full", { params: { max: MAX_ENTRIES } });
      const { deletesBranch, message, style, title } = request;
      store.insertEntry(db, {
        issueId: issue.id,
        repoId: pull.repoId,
        branch: pull.baseBranch,
        userId: accountOf(seen.principal).id,
        style,
        title,
        message,
        deletesBranch,
        headOid: pull.headOid,
        createdAt: clock(),
      });
      timeline.append(item, { kind: "pull_queued", newText: pull.baseBranch });
      this.wake(pull.repoId, pull.baseBranch);
    });
  }

  /** @throws NotFound if it is not queued; Forbidden unless the caller added it, posted it or may merge */
  remove(item: SeenPull): void {
    const { conditions } = this.parts;
    const { issue, pull, seen } = item;
    const entry = this.of(item);
    if (!entry) throw new NotFound();
    const { id } = accountOf(seen.principal);
    if (entry.userId !== id && issue.posterId !== id && !conditions.mayMerge(seen, pull.baseBranch))
      throw new Forbidden("pull.may-not-unqueue");
    this.takeOut(item, "removed");
  }

  /** Takes it out of the queue; does nothing if it is not queued. Joins the running transaction. */
  takeOut(item: SeenPull, why: Departure, reason = ""): void {
    const { db, timeline } = this.parts;
    db.transaction(() => {
      const entry = store.findEntry(db, item.issue.id);
      if (!entry || !store.deleteEntry(db, entry.id)) return;
      timeline.append(item, { kind: "pull_unqueued", body: why, oldText: entry.branch, newText: reason });
      this.wake(entry.repoId, entry.branch);
    });
  }

  /** Removes it silently: it was merged, or there is nothing to report. Joins the running transaction. */
  forget(issueId: number): void {
    const { db } = this.parts;
    const entry = store.findEntry(db, issueId);
    if (entry && store.deleteEntry(db, entry.id)) this.wake(entry.repoId, entry.branch);
  }

  /** Called when something the queue of a branch may be waiting for has changed. Joins the running transaction. */
  wake(repoId: number, branch: string, delayMs = 0): void {
    const uniqueKey = `pulls.merge-queue ${delayMs > 0 ? "later " : ""}${repoId} ${branch}`;
    this.parts.jobs.enqueue("pulls.merge-queue", { repoId, branch }, { uniqueKey, delayMs });
  }

  /** Wakes every queue of a repository. */
  wakeAll(repoId: number): void {
    for (const branch of store.queuedBranches(this.parts.db, repoId)) this.wake(repoId, branch);
  }

  /** A check reported on a commit. */
  wakeFor(repoId: number, commit: string): void {
    const branch = store.branchOfCandidate(this.parts.db, repoId, commit);
    if (branch !== undefined) this.wake(repoId, branch);
  }

  of({ issue }: Pick<SeenPull, "issue">): QueueEntry | undefined {
    return store.findEntry(this.parts.db, issue.id);
  }

  /** Its place in the queue; undefined if it is not queued. */
  placeOf(item: SeenPull): QueuePlace | undefined {
    const entry = this.of(item);
    if (!entry) return undefined;
    return {
      entry,
      item,
      position: store.countBefore(this.parts.db, entry) + 1,
      state: this.stateOf(item.seen, entry),
    };
  }

  /** The queue of a branch, in order. @throws NotFound, Forbidden if pull requests may not be read here */
  list(seen: SeenRepo, branch: string): QueuePlace[] {
    const { db, pulls } = this.parts;
    pulls.requireReadable(seen);
    return store.entriesOf(db, seen.repo.id, branch).flatMap((entry, at) => {
      const item = pulls.byId(seen.principal, entry.issueId);
      return item ? [{ entry, item, position: at + 1, state: this.stateOf(seen, entry) }] : [];
    });
  }

  /** The branches with a current queue, and the default branch. */
  branches({ repo }: SeenRepo): string[] {
    return [...new Set([repo.defaultBranch, ...store.queuedBranches(this.parts.db, repo.id)])];
  }

  /** What the checks report about a candidate. */
  stateOf(seen: SeenRepo, { branch, candidate }: QueueEntry): QueueState {
    if (!candidate) return "waiting";
    const settings = this.parts.protections.ruleOf(seen, branch)?.settings;
    if (!settings?.enableStatusCheck) return "ready";
    const checks = this.parts.statuses.latest(seen, candidate.oid);
    if (checksPass(settings.statusCheckContexts, checks)) return "ready";
    return checksFail(settings.statusCheckContexts, checks) ? "failed" : "testing";
  }
}
