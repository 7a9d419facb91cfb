import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { BadRequest, Forbidden, NotFound } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { contextOf, eventOf } from "../context.ts";
import { mayAdministerRepo, requireAdminister } from "../rights.ts";
import type { IssueService } from "../service.ts";
import { findIssue, updateIssue } from "../store.ts";
import type { Timeline } from "../timeline/service.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

export interface PinNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly issues: IssueService;
  readonly timeline: Timeline;
  /** Max pins per kind and repository: more would make another list. */
  readonly max: number;
}

/** Items pinned to the top of their lists (contract issues.md 7). */
export class PinService {
  constructor(private readonly needs: PinNeeds) {}

  /** In pin order. @throws Forbidden the principal may not read items of that kind */
  list(seen: SeenRepo, isPull: boolean): SeenIssue[] {
    const { db, issues } = this.needs;
    if (issues.levelOn(seen, { isPull }) === "none") throw new Forbidden("repository.needs-read");
    return issues.inRepo(seen, store.pinnedIds(db, seen.repo.id, isPull));
  }

  /** Whether another item may be pinned. */
  mayPinMore({ repo }: SeenRepo, isPull: boolean): boolean {
    return store.countPinned(this.needs.db, repo.id, isPull) < this.needs.max;
  }

  /** Pins it last; does nothing if it is already pinned. @throws Forbidden; BadRequest the maximum is reached */
  pin(item: SeenIssue): void {
    requireAdminister(item);
    if (item.issue.pinOrder > 0) return;
    const { db, max, outbox, timeline } = this.needs;
    db.transaction(() => {
      const count = store.countPinned(db, item.seen.repo.id, item.issue.isPull);
      if (count >= max) throw new BadRequest("issue.too-many-pins", { params: { max } });
      updateIssue(db, item.issue.id, { pinOrder: count + 1 });
      timeline.append(item, { kind: "pin" });
      outbox.append("issue.pin-changed", contextOf(item.seen, item.issue), { ...eventOf(item.issue), isPinned: true });
    });
  }

  /**
   * Pins imported items after those already pinned, up to the maximum; no event is emitted.
   * @param numbers in pin order
   * @throws Forbidden the caller does not administer the repository
   */
  bring(seen: SeenRepo, isPull: boolean, numbers: readonly number[]): void {
    if (!mayAdministerRepo(seen)) throw new Forbidden("repository.needs-admin");
    const { db, max } = this.needs;
    db.transaction(() => {
      let count = store.countPinned(db, seen.repo.id, isPull);
      for (const number of numbers) {
        if (count >= max) return;
        const issue = findIssue(db, seen.repo.id, number);
        if (issue?.isPull === isPull && issue.pinOrder === 0) updateIssue(db, issue.id, { pinOrder: ++count });
      }
    });
  }

  /** Does nothing if it is not pinned. @throws Forbidden */
  unpin(item: SeenIssue): void {
    requireAdminister(item);
    if (item.issue.pinOrder === 0) return;
    const { db, outbox, timeline } = this.needs;
    db.transaction(() => {
      updateIssue(db, item.issue.id, { pinOrder: 0 });
      store.closePinGap(db, item.issue);
      timeline.append(item, { kind: "unpin" });
      outbox.append("issue.pin-changed", contextOf(item.seen, item.issue), { ...eventOf(item.issue), isPinned: false });
    });
  }

  /**
   * @param position from 1; beyond the last means last
   * @throws Forbidden; NotFound it is not pinned; BadRequest not a valid position
   */
  move(item: SeenIssue, position: number): void {
    requireAdminister(item);
    if (item.issue.pinOrder === 0) throw new NotFound();
    if (!Number.isSafeInteger(position) || position < 1) throw new BadRequest("issue.bad-pin-position");
    const { db } = this.needs;
    db.transaction(() => {
      updateIssue(db, item.issue.id, { pinOrder: 0 });
      store.closePinGap(db, item.issue);
      const at = Math.min(position, store.countPinned(db, item.seen.repo.id, item.issue.isPull) + 1);
      store.openPinGap(db, item.issue, at);
      updateIssue(db, item.issue.id, { pinOrder: at });
    });
  }
}
