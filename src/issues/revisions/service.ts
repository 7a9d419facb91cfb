import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound } from "../../kernel/errors.ts";
import { mayWrite } from "../rights.ts";
import type { Timeline } from "../timeline/service.ts";
import type { TimelineEntry } from "../timeline/types.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** Max revisions stored per text. */
const MAX_REVISIONS = 20;

/** A change of a text, with the item or comment it belongs to. */
export interface ChangedText {
  readonly item: SeenIssue;
  /** The comment; undefined: the item's text. */
  readonly entry: TimelineEntry | undefined;
  readonly before: string;
  readonly after: string;
}

/** A revision with its predecessor. */
export interface ComparedRevision {
  readonly revision: store.Revision;
  readonly previous: store.Revision | undefined;
  /** Whether the viewer may delete its text. */
  readonly mayDelete: boolean;
}

/** Earlier versions of texts of items and comments (contract issues.md 17). */
export class Revisions {
  constructor(private readonly needs: { readonly db: Database; readonly clock: Clock; readonly timeline: Timeline }) {}

  /** Records a change; the first one also records the original. Joins the running transaction. */
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

  /** Number of revisions of each text that has more than one, by comment id; 0: the item's text. */
  counts({ issue }: SeenIssue): Map<number, number> {
    return new Map([...store.countRevisions(this.needs.db, issue.id)].filter(([, count]) => count > 1));
  }

  /** Newest first. @param entryId undefined: the item's text */
  list({ issue }: SeenIssue, entryId: number | undefined): store.Revision[] {
    return store.revisionsOf(this.needs.db, issue.id, entryId).reverse();
  }

  /** @throws NotFound not a revision of this item */
  find(item: SeenIssue, id: number): ComparedRevision {
    const { db } = this.needs;
    const revision = store.findRevision(db, item.issue.id, id);
    if (!revision) throw new NotFound();
    const all = store.revisionsOf(db, item.issue.id, revision.entryId);
    const at = all.findIndex((each) => each.id === id);
    return { revision, previous: all[at - 1], mayDelete: !revision.isDeleted && this.mayDelete(item, revision) };
  }

  /** Deletes the text of a revision; the revision itself stays listed. @throws NotFound; Forbidden */
  blank(item: SeenIssue, entryId: number | undefined, id: number): void {
    const { db } = this.needs;
    const { revision } = this.find(item, id);
    if (revision.entryId !== entryId) throw new NotFound();
    if (!this.mayDelete(item, revision)) throw new Forbidden("revision.not-yours");
    db.transaction(() => store.blankRevision(db, id));
  }

  /** Writers, the text's author, and the revision's author. */
  private mayDelete(item: SeenIssue, { entryId, userId }: store.Revision): boolean {
    const { user } = item.seen.principal;
    if (!user || item.seen.repo.isArchived) return false;
    const author =
      entryId === undefined ? item.issue.posterId : this.needs.timeline.byIds([entryId]).get(entryId)?.userId;
    return mayWrite(item) || author === user.id || userId === user.id;
  }

  /** Drops the revision made soonest after its predecessor, but never the first or last. */
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
