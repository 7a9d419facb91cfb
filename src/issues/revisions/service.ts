import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound } from "../../kernel/errors.ts";
import { mayWrite } from "../rights.ts";
import type { Timeline } from "../timeline/service.ts";
import type { TimelineEntry } from "../timeline/types.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** Of one text so many are kept. */
const MAX_REVISIONS = 20;

/** A text that changed: what it was, who wrote that, and when. */
export interface ChangedText {
  readonly item: SeenIssue;
  /** The comment; undefined: the item's own text. */
  readonly entry: TimelineEntry | undefined;
  readonly before: string;
  readonly after: string;
}

/** A revision with the one before it. */
export interface ComparedRevision {
  readonly revision: store.Revision;
  readonly previous: store.Revision | undefined;
  /** Whether whoever asks may take its text away. */
  readonly mayDelete: boolean;
}

/** What texts of items and comments were before they were edited (contract issues.md 17). */
export class Revisions {
  constructor(private readonly needs: { readonly db: Database; readonly clock: Clock; readonly timeline: Timeline }) {}

  /** The first change of a text keeps the original, too. Joins the running transaction. */
  changed({ item, entry, before, after }: ChangedText): void {
    const { clock, db } = this.needs;
    const { issue, seen } = item;
    const text = { issueId: issue.id, entryId: entry?.id };
    const known = store.revisionsOf(db, text.issueId, text.entryId);
    if (known.length === 0) {
      const { createdAt, userId } = entry ?? { createdAt: issue.createdAt, userId: issue.posterId };
      store.insertRevision(db, { ...text, userId, body: before, isFirst: true, createdAt });
    }
    const userId = seen.principal.user?.id;
    store.insertRevision(db, { ...text, userId, body: after, isFirst: false, createdAt: clock() });
    this.thin(text.issueId, text.entryId);
  }

  /** How many revisions each text of an item has that has more than one; 0: the item's own text. */
  counts({ issue }: SeenIssue): Map<number, number> {
    return new Map([...store.countRevisions(this.needs.db, issue.id)].filter(([, count]) => count > 1));
  }

  /** The newest first. @param entryId undefined: the item's own text */
  list({ issue }: SeenIssue, entryId: number | undefined): store.Revision[] {
    return store.revisionsOf(this.needs.db, issue.id, entryId).reverse();
  }

  /** @throws NotFound none of this item */
  find(item: SeenIssue, id: number): ComparedRevision {
    const { db } = this.needs;
    const revision = store.findRevision(db, item.issue.id, id);
    if (!revision) throw new NotFound();
    const all = store.revisionsOf(db, item.issue.id, revision.entryId);
    const at = all.findIndex((each) => each.id === id);
    return { revision, previous: all[at - 1], mayDelete: !revision.isDeleted && this.mayDelete(item, revision) };
  }

  /** Takes the text of a revision away; that it was there stays. @throws NotFound; Forbidden */
  blank(item: SeenIssue, entryId: number | undefined, id: number): void {
    const { db } = this.needs;
    const { revision } = this.find(item, id);
    if (revision.entryId !== entryId) throw new NotFound();
    if (!this.mayDelete(item, revision)) throw new Forbidden("revision.not-yours");
    db.transaction(() => store.blankRevision(db, id));
  }

  /** Writers, whoever wrote the text, and whoever wrote that revision of it. */
  private mayDelete(item: SeenIssue, { entryId, userId }: store.Revision): boolean {
    const { user } = item.seen.principal;
    if (!user || item.seen.repo.isArchived) return false;
    const author =
      entryId === undefined ? item.issue.posterId : this.needs.timeline.byIds([entryId]).get(entryId)?.userId;
    return mayWrite(item) || author === user.id || userId === user.id;
  }

  /** The one that came soonest after the one before it goes, but neither the first nor the last. */
  private thin(issueId: number, entryId: number | undefined): void {
    const { db } = this.needs;
    const all = store.revisionsOf(db, issueId, entryId);
    if (all.length <= MAX_REVISIONS) return;
    const middle = all.slice(1, -1).map((revision, at) => ({
      revision,
      distance: revision.createdAt - (all[at]?.createdAt ?? 0),
    }));
    const [soonest] = middle.sort((a, b) => a.distance - b.distance);
    if (soonest) store.deleteRevision(db, soonest.revision.id);
  }
}
