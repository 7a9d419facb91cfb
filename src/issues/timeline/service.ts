import type { Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { touchIssue } from "../store.ts";
import { type SeenIssue, unitOf } from "../types.ts";
import { insertEntry, latestComments } from "./store.ts";
import type { NewEntry, TimelineEntry } from "./types.ts";

/** All that happens to items, in its order. */
export class Timeline {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Something happened to the item. Joins the running transaction.
   * @param doer another than who sees the item: whoever merged, the server itself
   */
  append({ issue, seen }: SeenIssue, entry: NewEntry, doer: Principal = seen.principal): TimelineEntry {
    const now = this.clock();
    const made = insertEntry(this.db, issue, doer.user?.id, entry, now);
    touchIssue(this.db, issue.id, now);
    const { owner, repo } = seen;
    const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(doer), unit: unitOf(issue) };
    this.outbox.append("timeline.appended", context, { issueId: issue.id, entryId: made.id, kind: made.kind });
    return made;
  }

  /** The newest comment of each of these items, by the items' ids; of those that have none, nothing. */
  latestComments(issueIds: readonly number[]): Map<number, number> {
    return latestComments(this.db, issueIds);
  }
}
