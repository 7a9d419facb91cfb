import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { CrashPoint } from "../../kernel/crash.ts";
import { Conflict, Forbidden, ValidationFailed } from "../../kernel/errors.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { LabelService } from "../../labels/service.ts";
import type { MilestoneService } from "../../milestones/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { insertAssignee } from "../assignees/store.ts";
import { insertLabel } from "../labelling-store.ts";
import type { Reactions } from "../reactions/service.ts";
import { insertImportedReaction, type Target } from "../reactions/store.ts";
import { mayAdministerRepo } from "../rights.ts";
import { insertIssue } from "../store.ts";
import { countTasks } from "../tasks.ts";
import { countComment, insertEntry } from "../timeline/store.ts";
import { countedKinds } from "../timeline/types.ts";
import { checkBody, checkRef, checkTitle } from "../values.ts";
import { giveSome } from "./authors-store.ts";
import { type AwaitedFile, insertAwaited } from "./files-store.ts";
import * as store from "./store.ts";

declare module "../../events/types.ts" {
  interface EventPayloads {
    /** Items were imported with their comments; no one is notified of each. */
    "issues.imported": { count: number };
  }
}

/** Author on another forge: an account here, or their name and id there. */
export type ImportedAuthor = { readonly userId: number } | { readonly name: string; readonly id: number };

export interface ImportedReaction {
  readonly giver: ImportedAuthor;
  /** Short name of an emoji; those not offered here are skipped. */
  readonly content: string;
  readonly createdAt: number;
}

/** A file to be fetched later, and its future address here. */
export interface ImportedFile {
  readonly uuid: string;
  readonly name: string;
  readonly url: string;
}

export interface ImportedComment {
  readonly author: ImportedAuthor;
  readonly body: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly reactions?: readonly ImportedReaction[] | undefined;
  readonly files?: readonly ImportedFile[] | undefined;
}

/** A timeline entry other than a comment: a code comment, review or merge. */
export interface ImportedEntry extends Omit<ImportedComment, "files" | "reactions"> {
  readonly kind: "code" | "review" | "merge_pull";
  readonly reviewId?: number | undefined;
}

export interface ImportedItem {
  /** Its number on the other forge; must be free. */
  readonly number: number;
  readonly isPull: boolean;
  readonly author: ImportedAuthor;
  readonly title: string;
  readonly body: string;
  readonly ref?: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Undefined: it is open. */
  readonly closedAt?: number | undefined;
  readonly isLocked?: boolean | undefined;
  readonly dueAt?: number | undefined;
  /** Ids of the repository's labels and milestone, and of accounts. */
  readonly labelIds?: readonly number[] | undefined;
  readonly milestoneId?: number | undefined;
  readonly assigneeIds?: readonly number[] | undefined;
  readonly reactions?: readonly ImportedReaction[] | undefined;
  readonly files?: readonly ImportedFile[] | undefined;
  /** Oldest first. */
  readonly comments: readonly ImportedComment[];
}

export interface ImportNeeds {
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly labels: LabelService;
  readonly milestones: MilestoneService;
  readonly outbox: Outbox;
  readonly reactions: Reactions;
}

/** Per call, to keep the transaction short. */
const MAX_ITEMS = 500;
/** Per transaction. */
export const MAX_ENTRIES = 100;
const MAX_NUMBER = 999_999_999;

/** Imports items from another forge: they keep their numbers, dates and authors, and no one is notified. */
export class ItemImports {
  constructor(private readonly needs: ImportNeeds) {}

  /**
   * Imports items, all or none, with the first comments of each; `bringRest` imports the rest of long conversations.
   * Numbers assigned later follow the highest.
   * @param isMore more than comments will follow for an item; `finish` ends that
   * @returns the ids, in the order of the items
   * @throws Forbidden the caller does not administer the repository; Conflict a number is taken; ValidationFailed a bad
   * value, or too many at once
   */
  bring(seen: SeenRepo, items: readonly ImportedItem[], isMore = false): number[] {
    const { db, outbox } = this.needs;
    if (!mayAdministerRepo(seen)) throw new Forbidden("repository.needs-admin");
    if (seen.repo.isArchived) throw new Forbidden("repository.archived");
    if (items.length > MAX_ITEMS) throw new ValidationFailed("issue.import-too-large", { params: { max: MAX_ITEMS } });
    if (items.length === 0) return [];
    return db.transaction(() => {
      this.requireFree(
        seen,
        items.map(({ number }) => number),
      );
      this.requireAccounts(items);
      const labelIds = new Set(this.needs.labels.allUsable(seen).map(({ id }) => id));
      const ids = items.map((item) => {
        const id = this.insert(seen, item, labelIds);
        if (isMore || item.comments.length > MAX_ENTRIES)
          store.setUnfinished(db, { id, comments: Math.min(item.comments.length, MAX_ENTRIES), reviews: 0 });
        return id;
      });
      store.raiseNumber(db, seen.repo.id, Math.max(...items.map(({ number }) => number)));
      const context = { repoId: seen.repo.id, ownerId: seen.owner.id, principal: storedPrincipal(seen.principal) };
      outbox.append("issues.imported", context, { count: items.length });
      return ids;
    });
  }

  /** The items with these numbers that are not completely imported, by number. */
  unfinished({ repo }: SeenRepo, numbers: readonly number[]): Map<number, store.UnfinishedItem> {
    const found = store.unfinishedAmong(this.needs.db, repo.id, numbers);
    return new Map(found.map((each) => [each.number, each]));
  }

  /** Imports an item's remaining comments in batches. @returns the item if more than comments is still to come */
  async bringRest(seen: SeenRepo, { comments, number }: ImportedItem): Promise<store.UnfinishedItem | undefined> {
    const { db } = this.needs;
    for (;;) {
      const item = this.unfinished(seen, [number]).get(number);
      if (!item || item.comments >= comments.length) return item;
      const some = comments.slice(item.comments, item.comments + MAX_ENTRIES);
      db.transaction(() => {
        this.insertComments({ id: item.id, repoId: seen.repo.id }, some);
        countComment(db, item.id, some.length);
        store.setUnfinished(db, { ...item, comments: item.comments + some.length });
      });
      this.needs.crash("import.amid-comments");
      await nextTurn();
    }
  }

  /** Records how many reviews of an item were imported. Joins the running transaction. */
  noteReviews(item: store.UnfinishedItem, reviews: number): void {
    store.setUnfinished(this.needs.db, { ...item, reviews });
  }

  /** Marks an item as completely imported. */
  finish({ id }: Pick<store.UnfinishedItem, "id">): void {
    this.needs.db.transaction(() => store.setFinished(this.needs.db, id));
  }

  /**
   * Assigns some of an imported author's contributions to their account here.
   * @param author `origin`: the server's address, without a trailing slash; `id`: their id there
   * @returns whether there may be more
   */
  giveTo(author: { readonly origin: string; readonly id: number; readonly userId: number }): boolean {
    const { db } = this.needs;
    return db.transaction(() =>
      (["issues", "timeline", "reactions"] as const)
        .map((table) => giveSome(db, table, author, MAX_ITEMS))
        .includes(true),
    );
  }

  /** The numbers that no item has or had. */
  free({ repo }: SeenRepo, numbers: readonly number[]): Set<number> {
    const used = new Set(store.usedNumbers(this.needs.db, repo.id, numbers));
    return new Set(numbers.filter((number) => number <= MAX_NUMBER && !used.has(number)));
  }

  /** Reserves numbers up to `last` for the import: items created here meanwhile get higher ones. */
  reserve({ repo }: SeenRepo, last: number): void {
    if (last < 1 || last > MAX_NUMBER) return;
    this.needs.db.transaction(() => store.raiseNumber(this.needs.db, repo.id, last));
  }

  /** Joins the running transaction. @returns the id of the entry */
  append(item: { readonly id: number; readonly repoId: number }, entry: ImportedEntry): number {
    const { db } = this.needs;
    const { author, body, createdAt, kind, reviewId, updatedAt } = entry;
    const row = { kind, body: checkBody(body), reviewId, ...originalOf(author), ...timesOf({ createdAt, updatedAt }) };
    const { id } = insertEntry(db, item, userIdOf(author), row, row.updatedAt);
    if (countedKinds.has(kind)) countComment(db, item.id, 1);
    return id;
  }

  private requireFree({ repo }: SeenRepo, numbers: readonly number[]): void {
    const isNumber = (number: number) => Number.isSafeInteger(number) && number >= 1 && number <= MAX_NUMBER;
    if (!numbers.every(isNumber))
      throw new ValidationFailed("value.not-allowed", { field: "number", params: { name: "Number" } });
    const twice = numbers.find((number, at) => numbers.indexOf(number) !== at);
    const [used = twice] = store.usedNumbers(this.needs.db, repo.id, numbers);
    if (used !== undefined) throw new Conflict("issue.number-taken", { field: "number", params: { number: used } });
  }

  private requireAccounts(items: readonly ImportedItem[]): void {
    const wanted = new Set(
      items.flatMap((item) => {
        const said = [item, ...item.comments];
        const people = said.flatMap(({ author, reactions = [] }) => [author, ...reactions.map(({ giver }) => giver)]);
        return [...(item.assigneeIds ?? []), ...people.flatMap((each) => userIdOf(each) ?? [])];
      }),
    );
    const found = this.needs.identity.byIds([...wanted]);
    const [name] = [...wanted].filter((id) => !found.has(id));
    if (name !== undefined) throw new ValidationFailed("issue.unknown-user", { field: "user", params: { name } });
  }

  private insert(seen: SeenRepo, item: ImportedItem, usable: ReadonlySet<number>): number {
    const { db, milestones } = this.needs;
    const { repo } = seen;
    const body = checkBody(item.body);
    const milestone = item.milestoneId === undefined ? undefined : milestones.find(seen, item.milestoneId);
    const issue = insertIssue(db, {
      repoId: repo.id,
      number: item.number,
      isPull: item.isPull,
      posterId: userIdOf(item.author),
      title: checkTitle(item.title),
      body,
      ref: checkRef(item.ref ?? ""),
      milestoneId: milestone?.id,
      dueAt: item.dueAt,
      createdAt: timeOf(item.createdAt),
      ...countTasks(body),
    });
    const first = item.comments.slice(0, MAX_ENTRIES);
    this.insertComments(issue, first);
    this.react({ issueId: issue.id, entryId: undefined }, item.reactions);
    this.awaitFiles({ repoId: repo.id, issueId: issue.id, entryId: null }, item);
    for (const id of item.labelIds ?? []) if (usable.has(id)) insertLabel(db, issue.id, id);
    for (const id of item.assigneeIds ?? []) insertAssignee(db, issue.id, id);
    store.setImported(db, issue.id, {
      ...originalOf(item.author),
      isClosed: item.closedAt !== undefined,
      closedAt: item.closedAt === undefined ? undefined : timeOf(item.closedAt),
      isLocked: item.isLocked ?? false,
      updatedAt: timeOf(item.updatedAt),
      comments: first.length,
    });
    return issue.id;
  }

  private insertComments(
    item: { readonly id: number; readonly repoId: number },
    comments: readonly ImportedComment[],
  ): void {
    for (const { author, body, files, reactions, ...times } of comments) {
      const row = { kind: "comment", body: checkBody(body), ...timesOf(times), ...originalOf(author) } as const;
      const { id } = insertEntry(this.needs.db, item, userIdOf(author), row, row.updatedAt);
      this.react({ issueId: item.id, entryId: id }, reactions);
      this.awaitFiles({ repoId: item.repoId, issueId: item.id, entryId: id }, { files, createdAt: row.createdAt });
    }
  }

  private awaitFiles(
    place: Pick<AwaitedFile, "entryId" | "issueId" | "repoId">,
    { createdAt, files = [] }: Pick<ImportedComment, "createdAt" | "files">,
  ): void {
    for (const file of files) insertAwaited(this.needs.db, { ...place, ...file, createdAt: timeOf(createdAt) });
  }

  private react(target: Target, given: readonly ImportedReaction[] = []): void {
    const { db, reactions } = this.needs;
    for (const { content, createdAt, giver } of given)
      if (reactions.offered.includes(content)) {
        const row = { userId: userIdOf(giver), ...originalOf(giver) };
        insertImportedReaction(db, target, row, { content, createdAt: timeOf(createdAt) });
      }
  }
}

/** The author's account here, if they have one. */
export const userIdOf = (author: ImportedAuthor) => ("userId" in author ? author.userId : undefined);

const originalOf = (author: ImportedAuthor) =>
  "userId" in author
    ? { originalAuthor: "", originalAuthorId: 0 }
    : { originalAuthor: author.name.slice(0, 255), originalAuthorId: author.id };

const timesOf = ({ createdAt, updatedAt }: Pick<ImportedComment, "createdAt" | "updatedAt">) => ({
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
});

/** @throws ValidationFailed not a valid date */
function timeOf(at: number): number {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15)
    throw new ValidationFailed("value.not-allowed", { field: "created_at", params: { name: "CreatedAt" } });
  return Math.round(at);
}
