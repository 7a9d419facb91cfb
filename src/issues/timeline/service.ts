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

/** All that happens to items, in its order. */
export class Timeline {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly access: AccessControl,
    private readonly clock: Clock,
  ) {}

  /**
   * Something happened to the item. Joins the running transaction.
   * @param doer another than who sees the item: whoever merged, the server itself
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

  /** The newest comment of each of these items, by the items' ids; of those that have none, nothing. */
  latestComments(issueIds: readonly number[]): Map<number, number> {
    return store.latestComments(this.db, issueIds);
  }

  /**
   * What happened to an item, the oldest first, as whoever sees it may know it: what leads to items they may not read is
   * left out, and so are comments on lines, which reviews show.
   */
  list(item: SeenIssue, span: TimeSpan, paging: Pick<Paging, "limit" | "offset">): Slice<TimelineEntry> {
    return store.listEntries(this.db, item.issue.id, this.viewer(item), span, paging);
  }

  /** The entry that tells of a review. */
  entryOfReview(reviewId: number): number | undefined {
    return store.findReviewEntry(this.db, reviewId);
  }

  /** Entries by their ids, whoever asks. */
  byIds(ids: readonly number[]): Map<number, TimelineEntry> {
    return store.findEntries(this.db, ids);
  }

  /** Who said something under an item, the first first; at most so many. */
  participants({ issue }: SeenIssue, limit: number): number[] {
    return store.participantsOf(this.db, issue.id, limit);
  }

  /** How many entries of an item's list stand before that one, as whoever sees the item has it; undefined: it is not there. */
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
