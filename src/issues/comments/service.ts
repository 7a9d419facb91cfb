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

/** A comment, or another timeline entry addressed like one, with its item. */
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
  /** The version of the text the change is based on; undefined: the current one. */
  readonly contentVersion?: number | undefined;
  /** Addresses of further files. */
  readonly files?: readonly string[] | undefined;
}

/** Whether an entry is hidden from a principal who may read its item. */
type Veil = (principal: Principal, entry: TimelineEntry) => boolean;

/** Comments under issues and pull requests (contract issues.md 11.1). */
export class Comments {
  private readonly veils: Veil[] = [];

  constructor(private readonly needs: CommentNeeds) {}

  /**
   * Adds a comment to an item.
   * @param files addresses of files uploaded for it; with any, the text may be empty
   * @throws Forbidden the item is locked, or its author or the repository's owner blocks the commenter;
   * ValidationFailed empty or too long
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

  /** @throws Forbidden the caller may not comment on the item now */
  requireMayComment(item: SeenIssue): void {
    if (item.issue.isLocked && !mayWrite(item)) throw new Forbidden("comment.item-locked");
    this.needs.issues.requireUnblocked(item);
  }

  /** All comments of an item, oldest first. */
  ofItem(item: SeenIssue, span: TimeSpan): SeenComment[] {
    return store.commentsOf(this.needs.db, item.issue.id, span).map((entry) => ({ item, entry }));
  }

  /** A repository's comments on the kinds of items that may be read. @throws NotFound neither kind may */
  ofRepo(seen: SeenRepo, span: TimeSpan, paging: Paging): Slice<SeenComment> {
    const kinds = this.needs.issues.requireReadable(seen);
    const { items, total } = store.commentsIn(this.needs.db, seen.repo.id, kinds, span, paging);
    return { items: this.seeEach(seen.principal, items), total };
  }

  /** The repository's entry with this id, of any kind. @throws NotFound */
  find(seen: SeenRepo, id: number): SeenComment {
    const entry = store.findEntry(this.needs.db, seen.repo.id, id);
    const [found] = entry ? this.seeEach(seen.principal, [entry]) : [];
    if (!found) throw new NotFound("comment.missing", { params: { id } });
    return found;
  }

  /**
   * Changes the text of an entry that has one. Saving the same text changes nothing.
   * @throws Forbidden neither its author nor a writer, or blocked; Conflict based on an outdated version;
   * ValidationFailed
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
   * @returns the id to restore it by; undefined: deleted for good
   * @throws Forbidden neither its author nor a writer
   */
  remove({ item, entry }: SeenComment): number | undefined {
    const { clock, db, itemBin, itemReferences, outbox } = this.needs;
    this.requireMayChange({ item, entry });
    return db.transaction(() => {
      // Entries that only their author could see are not shown in the bin either.
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

  /**
   * @param author whose block counts too, besides the item's author and the repository's owner.
   * @throws Forbidden
   */
  requireUnblocked(item: SeenIssue, author: number | undefined): void {
    const { blocks, identity, issues } = this.needs;
    issues.requireUnblocked(item);
    const account =
      author === undefined || atLeast(item.seen.access.level, "admin") ? undefined : identity.byId(author);
    if (account) blocks.requireUnblocked(account, accountOf(item.seen.principal));
  }

  /** Lets an area with unpublished entries hide them from other principals as if they did not exist. */
  addVeil(isHidden: Veil): void {
    this.veils.push(isHidden);
  }

  /** Entries with their items, without those the principal may not read. */
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

/** Whether the principal wrote the entry, or has write access here. */
function isTheirs({ entry, item }: SeenComment): boolean {
  const { user } = item.seen.principal;
  return user !== undefined && (entry.userId === user.id || mayWrite(item));
}
