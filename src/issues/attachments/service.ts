import { atLeast } from "../../access/levels.ts";
import { accountOf, asAccount, isSiteAdmin, type Principal } from "../../access/principal.ts";
import { requireScope } from "../../access/requirements.ts";
import type { BlobBody, BlobService } from "../../blobs/service.ts";
import type { StoredBlob } from "../../blobs/types.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Failure, Forbidden, NotFound, type TooLarge, ValidationFailed } from "../../kernel/errors.ts";
import type { QuotaService } from "../../quotas/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { SeenComment } from "../comments/service.ts";
import { contextOf, eventOf } from "../context.ts";
import { mayWrite } from "../rights.ts";
import type { IssueService } from "../service.ts";
import { findEntry } from "../timeline/store.ts";
import type { SeenIssue } from "../types.ts";
import { receiveFile, tooLarge, type Upload } from "./receive.ts";
import { type AttachmentRules, checkName, requireAllowed, requireHope } from "./rules.ts";
import * as store from "./store.ts";
import type { Attachment } from "./types.ts";

const AREA = "attachments";
/** Max uploaded but unused files per account; a form has five. */
const MAX_UNUSED = 100;

export interface AttachmentNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly blobs: BlobService;
  readonly issues: IssueService;
  readonly quotas: QuotaService;
  readonly rules: AttachmentRules;
}

/** What a file is attached to: an item, or a comment under it. */
export interface Parent {
  readonly item: SeenIssue;
  /** The comment; undefined: the item itself. */
  readonly entry: SeenComment["entry"] | undefined;
}

/** A file the principal may download. */
export interface OpenFile {
  readonly file: Pick<Attachment, "name" | "uuid" | "createdAt" | "repoId">;
  readonly body: BlobBody;
  countDownload(): void;
}

/** Files attached to issues, pull requests and comments (contract issues.md 12). */
export class Attachments {
  private readonly sources: ((principal: Principal, uuid: string) => OpenFile | undefined)[] = [];

  constructor(private readonly needs: AttachmentNeeds) {}

  get rules(): AttachmentRules {
    return this.needs.rules;
  }

  get maxBytes(): number {
    return this.rules.maxBytes;
  }

  /** Attachments of the items themselves, by item id. */
  ofItems(ids: readonly number[]): Map<number, Attachment[]> {
    return Map.groupBy(store.attachmentsOfItems(this.needs.db, ids), ({ issueId = 0 }) => issueId);
  }

  /** Attachments of comments, by comment id. */
  ofEntries(ids: readonly number[]): Map<number, Attachment[]> {
    return Map.groupBy(store.attachmentsOfEntries(this.needs.db, ids), ({ entryId = 0 }) => entryId);
  }

  of({ item, entry }: Parent): Attachment[] {
    const { db } = this.needs;
    return entry ? store.attachmentsOfEntries(db, [entry.id]) : store.attachmentsOfItems(db, [item.issue.id]);
  }

  /** The attachment with this id on that parent; an item also has those of its comments. @throws NotFound */
  find({ item, entry }: Parent, id: number): Attachment {
    const found = store.findAttachment(this.needs.db, id);
    if (!found) throw new NotFound("attachment.missing", { params: { id } });
    if (found.repoId !== item.issue.repoId) throw new NotFound("attachment.of-other-repository");
    if (found.issueId !== item.issue.id) throw new NotFound("attachment.of-other-issue");
    if (entry && found.entryId !== entry.id) throw new NotFound("attachment.of-other-comment");
    return found;
  }

  mayChange({ item, entry }: Parent): boolean {
    const { issue, seen } = item;
    const { user } = seen.principal;
    if (!user) return false;
    const isWriter = mayWrite(item);
    if (!entry) return isWriter || issue.posterId === user.id;
    return isWriter && (entry.userId === user.id || atLeast(seen.access.level, "admin") || isSiteAdmin(seen.principal));
  }

  /** @throws NotFound attachments are disabled on this server; Forbidden */
  requireMayChange(parent: Parent): void {
    this.requireEnabled();
    if (!this.mayChange(parent))
      throw new Forbidden(parent.entry ? "attachment.not-your-comment" : "attachment.not-your-issue");
  }

  requireEnabled(): void {
    if (!this.rules.isEnabled) throw new NotFound();
  }

  /** @throws ValidationFailed the name, extension or type is not allowed; TooLarge */
  receive(bytes: AsyncIterable<Uint8Array>, given: string): Promise<Upload & Disposable> {
    return receiveFile(this.needs, bytes, given);
  }

  tooLarge(): TooLarge {
    return tooLarge(this.rules);
  }

  /**
   * Attaches a received file.
   * @throws Forbidden, NotFound the item or comment was deleted meanwhile; TooLarge the owner's quota is exhausted
   */
  add(parent: Parent, { name, stored }: Upload): Attachment {
    const { clock, db, issues } = this.needs;
    this.requireMayChange(parent);
    return db.transaction(() => {
      const { issue, seen } = parent.item;
      // It may have been deleted while the bytes arrived.
      issues.see(seen, issue.number);
      const made = this.insert(seen, name, stored, parent);
      this.touch(parent, clock(), { body: issue.body });
      return made;
    });
  }

  /** Whether a file with that name and size may be attached, as far as known before its content has arrived. */
  mayTake(name: string, sizeBytes: number): boolean {
    const { isEnabled, maxBytes } = this.rules;
    if (!isEnabled || sizeBytes > maxBytes) return false;
    try {
      requireHope(this.rules, checkName(name));
      return true;
    } catch (error) {
      if (error instanceof ValidationFailed) return false;
      throw error;
    }
  }

  /**
   * Attaches a file imported from another forge: no one here uploaded it, and no event is emitted. Joins the running
   * transaction.
   * @throws TooLarge the owner's quota is exhausted
   */
  bring(
    { owner }: SeenRepo,
    file: Pick<Attachment, "repoId" | "uuid" | "createdAt"> & { issueId: number; entryId: number | null },
    { name, stored }: Upload,
  ): void {
    const { blobs, db, quotas } = this.needs;
    if (store.findByUuid(db, file.uuid)) return;
    quotas.require(owner, "size:assets:attachments:issues", stored.sizeBytes);
    const { createdAt, entryId, issueId, repoId, uuid } = file;
    const { sizeBytes } = stored;
    const row = { uuid, repoId, issueId, entryId: entryId ?? undefined, name, sizeBytes, createdAt };
    store.insertAttachment(db, { ...row, uploaderId: undefined });
    blobs.refer(AREA, uuid, stored);
  }

  /**
   * Stores a file for a form that is still being filled in.
   * @throws Failure 429 too many unused files; TooLarge the owner's quota is exhausted
   */
  keep(seen: SeenRepo, { name, stored }: Upload): Attachment {
    const { db } = this.needs;
    this.requireEnabled();
    if (store.countUnused(db, accountOf(seen.principal).id) >= MAX_UNUSED)
      throw new Failure(429, "attachment.too-many-unused");
    return db.transaction(() => this.insert(seen, name, stored, undefined));
  }

  /**
   * Attaches files uploaded for a form to its submitted text. Joins the running transaction.
   * @throws BadRequest one belongs to someone else or another repository, or is attached elsewhere
   */
  use({ item, entry }: Parent, uuids: readonly string[]): void {
    const { db, rules } = this.needs;
    const doer = accountOf(item.seen.principal);
    if (new Set(uuids).size > rules.maxFiles)
      throw new ValidationFailed("form.too-many-files", { params: { maxFiles: rules.maxFiles } });
    for (const uuid of new Set(uuids)) {
      const file = store.findByUuid(db, uuid);
      const hangsHere = file?.issueId === item.issue.id && file.entryId === entry?.id;
      if (hangsHere) continue;
      if (!file || file.issueId !== undefined || file.uploaderId !== doer.id || file.repoId !== item.issue.repoId)
        throw new BadRequest("attachment.not-usable", { field: "files" });
      store.linkAttachment(db, file.id, item.issue.id, entry?.id);
    }
  }

  /**
   * @param given empty: keep the name.
   * @throws ValidationFailed, Forbidden
   */
  rename(parent: Parent, file: Attachment, given: string): Attachment {
    const { clock, db, rules } = this.needs;
    this.requireMayChange(this.parentOf(parent, file));
    if (given === "") return file;
    const name = checkName(given);
    requireAllowed(rules, name, undefined);
    if (name === file.name) return file;
    return db.transaction(() => {
      store.renameAttachment(db, file.id, name);
      this.touch(parent, clock());
      return { ...file, name };
    });
  }

  /** @throws Forbidden */
  remove(parent: Parent, file: Attachment): void {
    const { clock, db } = this.needs;
    this.requireMayChange(this.parentOf(parent, file));
    db.transaction(() => {
      store.deleteAttachment(db, file.id);
      this.touch(parent, clock());
    });
  }

  /**
   * Removes an uploaded file by its address, as forms do.
   * @throws BadRequest no such file in this repository; Forbidden neither the uploader nor a writer
   */
  takeBack(seen: SeenRepo, uuid: string): void {
    const { db, issues } = this.needs;
    const file = store.findByUuid(db, uuid);
    if (!file || file.repoId !== seen.repo.id) throw new BadRequest("attachment.not-usable", { field: "file" });
    const mine = file.uploaderId === accountOf(seen.principal).id;
    const [item] = file.issueId === undefined ? [] : issues.seeEach(seen.principal, [file.issueId]);
    const isWriter = file.issueId === undefined ? atLeast(seen.access.level, "admin") : item && mayWrite(item);
    if (!mine && !isWriter) throw new Forbidden("attachment.not-yours");
    db.transaction(() => store.deleteAttachment(db, file.id));
  }

  /**
   * The bytes at an address, for anyone who may read what they are attached to; an unused file only for its uploader.
   * @throws NotFound; Forbidden a public-only token asks for something private, or the token lacks the scope of its
   * parent
   */
  open(principal: Principal, uuid: string): OpenFile {
    const { blobs, db } = this.needs;
    const isUuid = /^[0-9a-f-]{36}$/.test(uuid);
    const file = isUuid ? store.findByUuid(db, uuid) : undefined;
    for (const source of isUuid && !file ? this.sources : []) {
      const found = source(principal, uuid);
      if (found) return found;
    }
    if (file) requireScope(principal, ["issue"], "read");
    if (!file || !this.mayRead(principal, file)) {
      const { scope, user } = principal;
      if (file && scope?.publicOnly && user && this.mayRead(asAccount(user), file))
        throw new Forbidden("access.public-only-refused");
      throw new NotFound();
    }
    const body = blobs.open(AREA, file.uuid);
    if (!body) throw new Error("an attachment has no bytes");
    return { file, body, countDownload: () => db.transaction(() => store.countDownload(db, file.id)) };
  }

  /**
   * Registers another area's files with the same kind of address.
   * @param source returns undefined if the file is not its, or not for them; checks the scope itself
   */
  addSource(source: (principal: Principal, uuid: string) => OpenFile | undefined): void {
    this.sources.push(source);
  }

  /** Deletes files that were uploaded and never used. @returns how many */
  removeUnused(before: number, limit: number): number {
    const { db } = this.needs;
    return db.transaction(() => store.deleteUnused(db, before, limit));
  }

  private mayRead(principal: Principal, { issueId, uploaderId }: Attachment): boolean {
    if (issueId === undefined) return uploaderId !== undefined && principal.user?.id === uploaderId;
    return this.needs.issues.seeEach(principal, [issueId]).length > 0;
  }

  private insert(
    { principal, owner, repo }: SeenRepo,
    name: string,
    stored: StoredBlob,
    parent: Parent | undefined,
  ): Attachment {
    const { blobs, clock, db, quotas } = this.needs;
    quotas.require(owner, "size:assets:attachments:issues", stored.sizeBytes);
    const made = store.insertAttachment(db, {
      uuid: crypto.randomUUID(),
      repoId: repo.id,
      uploaderId: accountOf(principal).id,
      issueId: parent?.item.issue.id,
      entryId: parent?.entry?.id,
      name,
      sizeBytes: stored.sizeBytes,
      createdAt: clock(),
    });
    blobs.refer(AREA, made.uuid, stored);
    return made;
  }

  /** Accessing a comment's file through the item requires the comment's permissions. */
  private parentOf({ item, entry }: Parent, { entryId }: Attachment): Parent {
    if (entry || entryId === undefined) return { item, entry };
    return { item, entry: findEntry(this.needs.db, item.issue.repoId, entryId) };
  }

  /**
   * Increases the text's version because its files changed, so that edits based on the old version conflict.
   * @param before an added file counts as saving the item's text again
   */
  private touch({ item, entry }: Parent, now: number, before: { readonly body?: string } = {}): void {
    const { db, outbox } = this.needs;
    const context = contextOf(item.seen, item.issue);
    if (entry) {
      store.bumpEntry(db, entry.id, now);
      outbox.append("comment.edited", context, { ...eventOf(item.issue), entryId: entry.id, before: entry.body });
    } else {
      store.bumpItem(db, item.issue.id, now);
      outbox.append("issue.edited", context, {
        ...eventOf(item.issue),
        fields: ["attachments", ...Object.keys(before)],
        before,
      });
    }
  }
}
