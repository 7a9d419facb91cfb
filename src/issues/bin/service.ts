import type { User } from "../../access/user.ts";
import type { BlobService } from "../../blobs/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { contextOf, eventOf } from "../context.ts";
import { closePinGap } from "../pins/store.ts";
import type { ItemReferences } from "../references/service.ts";
import { mayAdministerRepo, requireAdminister } from "../rights.ts";
import type { IssueService } from "../service.ts";
import { deleteIssue, touchIssue, updateIssue } from "../store.ts";
import { countComment, findEntries } from "../timeline/store.ts";
import { countedKinds, type TimelineEntry } from "../timeline/types.ts";
import type { SeenIssue } from "../types.ts";
import * as rows from "./rows-store.ts";
import * as store from "./store.ts";

/** A deleted issue, pull request or comment that can still be restored. */
export interface DeletedItem {
  readonly id: number;
  readonly number: number;
  readonly isPull: boolean;
  readonly title: string;
  /** The first words of a comment; empty if the item itself was deleted. */
  readonly excerpt: string;
  readonly isComment: boolean;
  readonly deletedAt: number;
  /** Also absent if that account was deleted. */
  readonly deletedBy?: User;
  /** When it is deleted for good. */
  readonly goesAt: number;
}

/** Something being deleted. */
export interface Deleting {
  readonly item: SeenIssue;
  /** Undefined: the item itself. */
  readonly entry: TimelineEntry | undefined;
}

export interface BinNeeds {
  readonly blobs: BlobService;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly itemReferences: ItemReferences;
  readonly issues: IssueService;
  readonly outbox: Outbox;
  /** Days for which deleted things can be restored; 0 disables that. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
const EXCERPT = 200;
const KEPT = "deleted-attachments";
const USED = "attachments";

/**
 * Recently deleted items and comments: invisible everywhere, but restorable in one step with everything attached to
 * them.
 */
export class ItemBin {
  constructor(private readonly needs: BinNeeds) {}

  /**
   * Deletes an item with everything that belongs to it.
   * @returns the id to restore it by; undefined: deleted for good
   * @throws Forbidden the caller does not administer the repository
   */
  remove(given: SeenIssue): number | undefined {
    requireAdminister(given);
    const { db, issues, outbox } = this.needs;
    return db.transaction(() => {
      const item = issues.again(given);
      const { issue, seen } = item;
      outbox.append("issue.deleted", contextOf(seen, issue), { ...eventOf(issue), title: issue.title });
      if (issue.pinOrder > 0) closePinGap(db, issue);
      const id = this.keep({ item, entry: undefined });
      deleteIssue(db, issue.id);
      return id;
    });
  }

  /**
   * Records what is about to be deleted. Joins the running transaction, before the rows are deleted.
   * @returns the id to restore it by; undefined: it cannot be restored
   */
  keep({ entry, item: { issue, seen } }: Deleting): number | undefined {
    const { blobs, clock, days, db } = this.needs;
    if (days === 0) return undefined;
    const id = store.insertDeleted(db, {
      repoId: issue.repoId,
      issueId: issue.id,
      entryId: entry?.id ?? null,
      number: issue.number,
      isPull: issue.isPull ? 1 : 0,
      title: issue.title,
      excerpt: entry ? [...entry.body].slice(0, EXCERPT).join("") : "",
      deletedBy: seen.principal.user?.id ?? null,
      deletedAt: clock(),
    });
    rows.keepRows(db, id, entry ? { table: "timeline", id: entry.id } : { table: "issues", id: issue.id });
    for (const uuid of store.filesOf(db, id)) blobs.hand(uuid, { from: USED, to: KEPT });
    return id;
  }

  /** Deleted things in a repository, most recent first. @throws NotFound the caller does not administer it */
  list(seen: SeenRepo, paging: Pick<Paging, "limit" | "offset">): Slice<DeletedItem> {
    if (!mayAdministerRepo(seen)) throw new NotFound();
    const { db, identity } = this.needs;
    const { items, total } = store.listDeleted(db, seen.repo.id, paging);
    const people = identity.byIds(items.flatMap(({ deletedBy }) => deletedBy ?? []));
    return { total, items: items.map((row) => this.shown(row, people)) };
  }

  /**
   * Restores something as it was: number, timeline and files.
   * @returns the item, or the one the comment belongs to
   * @throws NotFound not in the bin, or the principal neither deleted it nor administers the repository; Conflict
   * something it cannot exist without is gone
   */
  restore(seen: SeenRepo, id: number): { readonly item: SeenIssue; readonly entryId: number | undefined } {
    const { blobs, db } = this.needs;
    return db.transaction(() => {
      const row = this.require(seen, id);
      rows.restoreRows(db, id);
      if (!store.isBack(db, row)) throw new Conflict("issue.not-restorable");
      for (const uuid of store.filesOf(db, id)) blobs.hand(uuid, { from: KEPT, to: USED });
      store.forgetDeleted(db, id);
      return row.entryId === null ? this.restoredItem(seen, row) : this.restoredComment(seen, row, row.entryId);
    });
  }

  /** Deletes something in the bin for good. @throws NotFound not in the bin, or the caller is not an administrator */
  purge(seen: SeenRepo, id: number): void {
    const { db } = this.needs;
    if (!mayAdministerRepo(seen)) throw new NotFound();
    db.transaction(() => {
      this.require(seen, id);
      store.forgetDeleted(db, id);
    });
  }

  /** Deletes for good up to `limit` things that were deleted before that time. @returns how many */
  prune(before: number, limit: number): number {
    const { db } = this.needs;
    return db.transaction(() => store.forgetDeletedBefore(db, before, limit));
  }

  private restoredItem(seen: SeenRepo, row: store.DeletedRow) {
    const { db, issues, outbox } = this.needs;
    // Its place among the pinned items has been taken.
    updateIssue(db, row.issueId, { pinOrder: 0 });
    const item = issues.see(seen, row.number);
    outbox.append("issue.restored", contextOf(seen, item.issue), eventOf(item.issue));
    return { item, entryId: undefined };
  }

  private restoredComment(seen: SeenRepo, row: store.DeletedRow, entryId: number) {
    const { clock, db, issues, itemReferences, outbox } = this.needs;
    const item = issues.see(seen, row.number);
    const entry = findEntries(db, [entryId]).get(entryId);
    if (!entry) throw new Conflict("issue.not-restorable");
    if (countedKinds.has(entry.kind)) countComment(db, row.issueId, 1);
    touchIssue(db, row.issueId, clock());
    itemReferences.written({ item, entry, isNew: false });
    outbox.append("comment.restored", contextOf(seen, item.issue), { ...eventOf(item.issue), entryId });
    return { item, entryId };
  }

  /** @throws NotFound */
  private require(seen: SeenRepo, id: number): store.DeletedRow {
    const row = store.findDeleted(this.needs.db, seen.repo.id, id);
    if (!row || !this.mayRestore(seen, row)) throw new NotFound();
    return row;
  }

  /** Administrators of the repository, and whoever deleted it, as long as they may read such items. */
  private mayRestore(seen: SeenRepo, row: store.DeletedRow): boolean {
    if (mayAdministerRepo(seen)) return true;
    const { user } = seen.principal;
    return (
      user !== undefined &&
      user.id === row.deletedBy &&
      this.needs.issues.levelOn(seen, { isPull: row.isPull === 1 }) !== "none"
    );
  }

  private shown(row: store.DeletedRow, people: ReadonlyMap<number, User>): DeletedItem {
    const by = row.deletedBy === null ? undefined : people.get(row.deletedBy);
    return {
      id: row.id,
      number: row.number,
      isPull: row.isPull === 1,
      title: row.title,
      excerpt: row.excerpt,
      isComment: row.entryId !== null,
      deletedAt: row.deletedAt,
      goesAt: row.deletedAt + this.needs.days * DAY_MS,
      ...(by ? { deletedBy: by } : {}),
    };
  }
}
