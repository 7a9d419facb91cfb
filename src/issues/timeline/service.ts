import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import { touchIssue } from "../store.ts";
import { type SeenIssue, unitOf } from "../types.ts";
import * as store from "./store.ts";
import { countedKinds, type NewEntry, type TimelineEntry, type TimeSpan } from "./types.ts";

/** The timelines of items. */
export class Timeline {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly access: AccessControl,
    private readonly clock: Clock,
  ) {}

  /**
   * Appends an entry to the item's timeline. Joins the running transaction.
   * @param doer if not the principal who sees the item: whoever merged, or the server itself
   */
  append({ issue, seen }: SeenIssue, entry: NewEntry, doer: Principal = seen.principal): TimelineEntry {
    const now = this.clock();
    const made = store.insertEntry(this.db, issue, doer.user?.id, entry, now);
    if (countedKinds.has(made.kind)) store.countComment(this.db, issue.id, 1);
    touchIssue(this.db, issue.id, now);
    const { owner, repo } = seen;
    const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(doer), unit: unitOf(issue) };
    this.outbox.append("timeline.appended", context, { issueId: issue.id, entryId: made.id, kind: made.kind });
    return made;
  }

  /** The newest comment id of each of these items, by item id; items without comments are left out. */
  latestComments(issueIds: readonly number[]): Map<number, number> {
    return store.latestComments(this.db, issueIds);
  }

  /**
   * An item's timeline, oldest first, as its viewer may see it: without references to items they may not read, and
   * without comments on lines, which reviews show.
   */
  list(item: SeenIssue, span: TimeSpan, paging: Pick<Paging, "limit" | "offset">): Slice<TimelineEntry> {
    return store.listEntries(this.db, item.issue.id, this.viewer(item), span, paging);
  }

  /** Id of the entry for a review. */
  entryOfReview(reviewId: number): number | undefined {
    return store.findReviewEntry(this.db, reviewId);
  }

  /** Entries by id, without an access check. */
  byIds(ids: readonly number[]): Map<number, TimelineEntry> {
    return store.findEntries(this.db, ids);
  }

  /** Accounts that wrote something under an item, in order of their first entry, at most `limit`. */
  participants({ issue }: SeenIssue, limit: number): number[] {
    return store.participantsOf(this.db, issue.id, limit);
  }

  /** How many entries precede that one in the item's list as the viewer sees it; undefined if it is not listed. */
  placeOf(item: SeenIssue, id: number): number | undefined {
    const entry = store.findEntry(this.db, item.issue.repoId, id);
    if (entry?.issueId !== item.issue.id) return undefined;
    return store.countBefore(this.db, entry, this.viewer(item));
  }

  private viewer({ seen }: SeenIssue): store.TimelineViewer {
    return {
      readsIssues: this.access.repoCondition({ unit: "issues" }),
      readsPulls: this.access.repoCondition({ unit: "pulls" }),
      params: this.access.params(seen.principal),
    };
  }
}
