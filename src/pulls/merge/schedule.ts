import { accountOf } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, Forbidden, NotFound } from "../../kernel/errors.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { SeenPull } from "../types.ts";
import type { MergeConditions } from "./conditions.ts";
import * as store from "./store.ts";
import type { MergeRequest } from "./types.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** A waiting merge may be due. */
    "pull.auto-merge": { issueId: number };
  }
}

/** Merges that wait until nothing blocks them (contract pulls.md 12). */
export class MergeSchedule {
  constructor(
    private readonly db: Database,
    private readonly jobs: JobQueue,
    private readonly timeline: Timeline,
    private readonly conditions: MergeConditions,
    private readonly clock: Clock,
  ) {}

  of({ issue }: SeenPull): store.ScheduledMerge | undefined {
    return store.findSchedule(this.db, issue.id);
  }

  /** The caller must have checked who may merge. @throws Conflict if one is already waiting and must not be replaced */
  add(item: SeenPull, { deletesBranch, message, replacesSchedule = false, style, title }: MergeRequest): void {
    const { issue, pull, seen } = item;
    this.db.transaction(() => {
      if (replacesSchedule) store.deleteSchedule(this.db, issue.id);
      if (store.findSchedule(this.db, issue.id))
        throw new Conflict("pull.already-scheduled", { params: { id: pull.id } });
      store.insertSchedule(this.db, {
        issueId: issue.id,
        userId: accountOf(seen.principal).id,
        style,
        title,
        message,
        deletesBranch: deletesBranch ?? mergeSettings(seen.repo.settings).defaultDeleteBranchAfterMerge,
        createdAt: this.clock(),
      });
      this.timeline.append(item, { kind: "pull_scheduled_merge" });
      this.evaluate(issue.id);
    });
  }

  /** @throws NotFound if none is waiting; Forbidden unless the caller scheduled it or may merge */
  cancel(item: SeenPull): void {
    const { issue, pull, seen } = item;
    this.db.transaction(() => {
      const scheduled = store.findSchedule(this.db, issue.id);
      if (!scheduled) throw new NotFound();
      const isOwn = scheduled.userId === accountOf(seen.principal).id;
      if (!isOwn && !this.conditions.mayMerge(seen, pull.baseBranch)) throw new Forbidden("pull.may-not-cancel");
      store.deleteSchedule(this.db, issue.id);
      this.timeline.append(item, { kind: "pull_cancel_scheduled_merge" });
    });
  }

  /**
   * Called after a push. The new commits were not seen by the account that scheduled the merge, so unless the pusher
   * could merge them, the schedule ends. Joins the running transaction.
   * @param asPusher the pull request as the pusher sees it; undefined if they cannot
   */
  pushed(item: SeenPull, asPusher: SeenPull | undefined): void {
    if (!store.findSchedule(this.db, item.issue.id)) return;
    if (asPusher && this.conditions.mayMerge(asPusher.seen, asPusher.pull.baseBranch)) return;
    store.deleteSchedule(this.db, item.issue.id);
    this.timeline.append(asPusher ?? item, { kind: "pull_cancel_scheduled_merge" });
  }

  /** Called when something it may be waiting for has changed. Joins the running transaction. */
  evaluate(issueId: number): void {
    if (!store.findSchedule(this.db, issueId)) return;
    this.jobs.enqueue("pull.auto-merge", { issueId }, { uniqueKey: `pull.auto-merge ${issueId}` });
  }

  /** Does the same for all pull requests with that head. */
  evaluateAt(repoId: number, head: string): void {
    for (const issueId of store.scheduledAt(this.db, repoId, head)) this.evaluate(issueId);
  }
}
