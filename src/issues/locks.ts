import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { contextOf, eventOf } from "./context.ts";
import { requireWrite } from "./rights.ts";
import { updateIssue } from "./store.ts";
import type { Timeline } from "./timeline/service.ts";
import type { SeenIssue } from "./types.ts";
import { checkReason } from "./values.ts";

/** Locked items accept comments and reactions only from people with write access (contract issues.md 6). */
export class ItemLocks {
  constructor(
    private readonly needs: { readonly db: Database; readonly outbox: Outbox; readonly timeline: Timeline },
  ) {}

  /**
   * Does nothing if it is already locked.
   * @throws Forbidden no write access; ValidationFailed the reason is too long
   */
  lock(item: SeenIssue, reason: string): void {
    checkReason(reason);
    this.change(item, true, reason);
  }

  /** Does nothing if it is not locked. @throws Forbidden no write access */
  unlock(item: SeenIssue): void {
    this.change(item, false, "");
  }

  private change(item: SeenIssue, isLocked: boolean, reason: string): void {
    requireWrite(item);
    if (item.issue.isLocked === isLocked) return;
    const { db, outbox, timeline } = this.needs;
    db.transaction(() => {
      updateIssue(db, item.issue.id, { isLocked: isLocked ? 1 : 0 });
      timeline.append(item, { kind: isLocked ? "lock" : "unlock", body: reason });
      outbox.append("issue.lock-changed", contextOf(item.seen, item.issue), { ...eventOf(item.issue), isLocked });
    });
  }
}
