import { atLeast } from "../../access/levels.ts";
import { accountOf, anonymous, type Principal } from "../../access/principal.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Attachments } from "../attachments/service.ts";
import type { ItemBin } from "../bin/service.ts";
import { contextOf, eventOf } from "../context.ts";
import type { ItemReferences } from "../references/service.ts";
import type { Revisions } from "../revisions/service.ts";
import { mayWrite } from "../rights.ts";
import type { IssueService } from "../service.ts";
import { touchIssue } from "../store.ts";
import type { Timeline } from "../timeline/service.ts";
import * as store from "../timeline/store.ts";
import { countedKinds, type TimelineEntry, type TimeSpan, writtenKinds } from "../timeline/types.ts";
import type { SeenIssue } from "../types.ts";
import { checkBody } from "../values.ts";

/** A comment, or another entry that has a number like one, with the item it stands under. */
export interface SeenComment {
  readonly item: SeenIssue;
  readonly entry: TimelineEntry;
}

export interface CommentNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly blocks: BlockService;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly attachments: Attachments;
  readonly itemBin: ItemBin;
  readonly itemReferences: ItemReferences;
  readonly revisions: Revisions;
  readonly timeline: Timeline;
}

export interface TextEdit {
  /** The version of the text that the change is based on; undefined: whatever is there. */
  readonly contentVersion?: number | undefined;
  /** Addresses of further files. */
  readonly files?: readonly string[] | undefined;
}

/** Whether an entry is not there for whoever asks, though they may read its item. */
type Veil = (principal: Principal, entry: TimelineEntry) => boolean;

/** What people say under issues and pull requests (contract issues.md 11.1). */
export class Comments {
  private readonly veils: Veil[] = [];

  constructor(private readonly needs: CommentNeeds) {}

  /**
   * Says something under an item.
   * @param files addresses of files that were kept for it; with one the text may be empty
   * @throws Forbidden the item is locked, or its author or the owner of the repository blocked who speaks;
   *   ValidationFailed empty or too long
   */
  create(item: SeenIssue, body: string, files: readonly string[] = []): SeenComment {
    const { attachments, db, itemReferences, outbox, timeline } = this.needs;
    this.requireMayComment(item);
    if (body.trim() === "" && files.length === 0)
      throw new ValidationFailed("value.required", { field: "body", params: { name: "Body" } });
    checkBody(body);
    return db.transaction(() => {
      const entry = timeline.append(item, { kind: "comment", body });
      attachments.use({ item, entry }, files);
      outbox.append("comment.created", contextOf(item.seen, item.issue), { ...eventOf(item.issue), entryId: entry.id });
      itemReferences.written({ item, entry, isNew: true });
      return { item, entry };
    });
  }

  /** @throws Forbidden may not comment on the item now */
  requireMayComment(item: SeenIssue): void {
    if (item.issue.isLocked && !mayWrite(item)) throw new Forbidden("comment.item-locked");
    this.needs.issues.requireUnblocked(item);
  }

  /** All comments of an item, the oldest first. */
  ofItem(item: SeenIssue, span: TimeSpan): SeenComment[] {
    return store.commentsOf(this.needs.db, item.issue.id, span).map((entry) => ({ item, entry }));
  }

  /** Those of a repository, of the kinds of items that may be read. @throws NotFound neither kind may */
  ofRepo(seen: SeenRepo, span: TimeSpan, paging: Paging): Slice<SeenComment> {
    const kinds = this.needs.issues.requireReadable(seen);
    const { items, total } = store.commentsIn(this.needs.db, seen.repo.id, kinds, span, paging);
    return { items: this.seeEach(seen.principal, items), total };
  }

  /** The entry with this number, when it is the repository's, of whatever kind. @throws NotFound */
  find(seen: SeenRepo, id: number): SeenComment {
    const entry = store.findEntry(this.needs.db, seen.repo.id, id);
    const [found] = entry ? this.seeEach(seen.principal, [entry]) : [];
    if (!found) throw new NotFound("comment.missing", { params: { id } });
    return found;
  }

  /**
   * Changes the text of an entry that has one. The same text again changes nothing.
   * @throws Forbidden neither its author nor a writer, or blocked; Conflict based on another version; ValidationFailed
   */
  edit({ item, entry }: SeenComment, body: string, { contentVersion, files = [] }: TextEdit = {}): SeenComment {
    const { attachments, clock, db, itemReferences, outbox, revisions } = this.needs;
    this.requireMayChange({ item, entry });
    this.requireUnblocked(item, entry.userId);
    if (body.trim() === "" && attachments.of({ item, entry }).length + files.length === 0)
      throw new ValidationFailed("value.required", { field: "body", params: { name: "Body" } });
    checkBody(body);
    if (contentVersion !== undefined && contentVersion !== entry.contentVersion) throw new Conflict("comment.changed");
    return db.transaction(() => {
      attachments.use({ item, entry }, files);
      if (body === entry.body) return { item, entry };
      const now = clock();
      const changed = store.updateBody(db, entry, body, now);
      if (!changed) throw new Conflict("comment.changed");
      touchIssue(db, item.issue.id, now);
      const payload = { ...eventOf(item.issue), entryId: entry.id, before: entry.body };
      outbox.append("comment.edited", contextOf(item.seen, item.issue), payload);
      itemReferences.written({ item, entry: changed, isNew: false });
      revisions.changed({ item, entry: changed, before: entry.body, after: body });
      return { item, entry: changed };
    });
  }

  /**
   * @returns the number under which it can be restored; undefined: it is gone for good
   * @throws Forbidden neither its author nor a writer
   */
  remove({ item, entry }: SeenComment): number | undefined {
    const { clock, db, itemBin, itemReferences, outbox } = this.needs;
    this.requireMayChange({ item, entry });
    return db.transaction(() => {
      // What nobody but its author was shown is shown to nobody in the bin either.
      const id = this.isVeiled(anonymous, entry) ? undefined : itemBin.keep({ item, entry });
      outbox.append("comment.deleted", contextOf(item.seen, item.issue), { ...eventOf(item.issue), entryId: entry.id });
      itemReferences.commentRemoved(entry);
      store.deleteEntry(db, entry.id);
      if (countedKinds.has(entry.kind)) store.countComment(db, item.issue.id, -1);
      touchIssue(db, item.issue.id, clock());
      return id;
    });
  }

  mayChange(comment: SeenComment): boolean {
    return writtenKinds.has(comment.entry.kind) && isTheirs(comment);
  }

  /** @throws Forbidden neither its author nor a writer */
  requireTheirs(comment: SeenComment): void {
    if (!isTheirs(comment)) throw new Forbidden("comment.not-yours");
  }

  private requireMayChange(comment: SeenComment): void {
    if (!this.mayChange(comment)) throw new Forbidden("comment.not-yours");
  }

  /** @param author whose block counts besides those of the item's author and the repository's owner. @throws Forbidden */
  requireUnblocked(item: SeenIssue, author: number | undefined): void {
    const { blocks, identity, issues } = this.needs;
    issues.requireUnblocked(item);
    const account =
      author === undefined || atLeast(item.seen.access.level, "admin") ? undefined : identity.byId(author);
    if (account) blocks.requireUnblocked(account, accountOf(item.seen.principal));
  }

  /** An area whose entries are not yet for everyone says which are hidden from whoever asks, as if they were not there. */
  addVeil(isHidden: Veil): void {
    this.veils.push(isHidden);
  }

  /** Entries with their items, without those that the principal may not read. */
  seeEach(principal: Principal, entries: readonly TimelineEntry[]): SeenComment[] {
    const ids = [...new Set(entries.map(({ issueId }) => issueId))];
    const items = new Map(this.needs.issues.seeEach(principal, ids).map((item) => [item.issue.id, item]));
    return entries.flatMap((entry) => {
      const item = items.get(entry.issueId);
      return item && !this.isVeiled(principal, entry) ? [{ item, entry }] : [];
    });
  }

  private isVeiled(principal: Principal, entry: TimelineEntry): boolean {
    return this.veils.some((isHidden) => isHidden(principal, entry));
  }
}

/** Whether whoever asks wrote the entry, or writes here. */
function isTheirs({ entry, item }: SeenComment): boolean {
  const { user } = item.seen.principal;
  return user !== undefined && (entry.userId === user.id || mayWrite(item));
}
