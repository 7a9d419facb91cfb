import type { Database } from "../../db/database.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import {
  type ImportedAuthor,
  type ImportedItem,
  type ItemImports,
  MAX_ENTRIES,
  userIdOf,
} from "../../issues/imports/service.ts";
import { Conflict } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { PullChecks } from "../checks/service.ts";
import { insertCodeComment, insertReview, setImportedReview, setImportedThread } from "../review/store.ts";
import type { CodeLine, ReviewKind } from "../review/types.ts";
import type { PullService } from "../service.ts";
import * as store from "../store.ts";
import { type PullCheck, pullRef } from "../types.ts";
import { draftTitle } from "../values.ts";

export interface ImportedCodeComment extends CodeLine {
  readonly author: ImportedAuthor;
  readonly body: string;
  readonly commitId: Oid;
  readonly hunk: string;
  readonly isOutdated: boolean;
  /** Who resolved the conversation; undefined while it is open. */
  readonly resolvedBy: ImportedAuthor | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ImportedReview {
  readonly kind: Exclude<ReviewKind, "pending" | "request">;
  readonly author: ImportedAuthor;
  readonly body: string;
  /** Empty: the head. */
  readonly commitId: Oid;
  /** Undefined: stale if it is of a commit other than the head. */
  readonly isStale: boolean | undefined;
  readonly isDismissed: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly comments: readonly ImportedCodeComment[];
}

export interface ImportedPull {
  readonly item: ImportedItem;
  readonly isDraft: boolean;
  readonly baseBranch: string;
  /** Where its change started; if empty or not present here, it is determined where possible. */
  readonly baseOid: Oid;
  readonly headBranch: string;
  readonly isOfSameRepo: boolean;
  /** The head when no ref keeps it; empty if unknown. */
  readonly headOid: Oid;
  readonly mergedAt: number | undefined;
  readonly mergedBy: ImportedAuthor | undefined;
  readonly mergeCommit: Oid;
  readonly allowsMaintainerEdit: boolean;
  /** Accounts asked for a review. */
  readonly reviewerIds: readonly number[];
  readonly reviews: readonly ImportedReview[];
}

export interface PullImportParts {
  readonly checks: PullChecks;
  readonly db: Database;
  readonly itemImports: ItemImports;
  readonly log: Log;
  readonly pulls: PullService;
  readonly refs: RefService;
}

const MAX_TITLE = 255;
const UNKNOWN: ImportedAuthor = { name: "", id: 0 };

/** Imports pull requests from another forge with their numbers, dates, authors and line comments. */
export class PullImports {
  constructor(private readonly parts: PullImportParts) {}

  /**
   * Imports one with all its comments and reviews. Its objects are already present, and the ref of its number may point
   * at its head; one whose head cannot be found is closed, as there is nothing to merge. Imported reviews never count
   * for a rule: an approval given elsewhere is not one given here.
   * @throws as `ItemImports.bring`
   */
  async bring(seen: SeenRepo, given: ImportedPull): Promise<void> {
    const { db } = this.parts;
    const head = this.headOf(seen, given);
    const base = this.baseOf(seen, given);
    const check = head === "" || base === "" ? undefined : await this.examined(seen, given, base, head);
    db.transaction(() => this.insert(seen, given, head, check && { ...check, base }));
    await this.bringRest(seen, given);
  }

  /** Imports the comments and reviews that are not here yet, a few entries at a time. */
  async bringRest(seen: SeenRepo, given: ImportedPull): Promise<void> {
    const { db, itemImports } = this.parts;
    const head = this.headOf(seen, given);
    const item = await itemImports.bringRest(seen, given.item);
    if (!item) return;
    for (let count = item.reviews; count < given.reviews.length; ) {
      const some = reviewsAtOnce(given.reviews.slice(count));
      count += some.length;
      db.transaction(() => {
        for (const review of some) this.insertReview({ id: item.id, repoId: seen.repo.id }, review, head);
        itemImports.noteReviews(item, count);
      });
      await nextTurn();
    }
    itemImports.finish(item);
  }

  private insert(
    seen: SeenRepo,
    given: ImportedPull,
    head: Oid,
    check: (PullCheck & { readonly base: Oid }) | undefined,
  ): void {
    const { db, itemImports, refs } = this.parts;
    const { item, mergedAt } = given;
    const { repo } = seen;
    const closedAt = item.closedAt ?? (head === "" ? item.updatedAt : undefined);
    const title = given.isDraft ? draftTitle(item.title, true).slice(0, MAX_TITLE) : item.title;
    const isMore = given.reviews.length > 0;
    const [issueId] = itemImports.bring(seen, [{ ...item, title, closedAt, isPull: true }], isMore);
    if (issueId === undefined) throw new Error("an item that was brought in has an id");
    const pull = store.insertPull(db, {
      issueId,
      repoId: repo.id,
      number: item.number,
      baseBranch: given.baseBranch,
      headRepoId: given.isOfSameRepo ? repo.id : undefined,
      headBranch: given.headBranch,
      isAgit: false,
      headOid: head,
      allowsMaintainerEdit: given.allowsMaintainerEdit,
    });
    const isOpen = closedAt === undefined;
    if (!isOpen) store.setOpen(db, issueId, false);
    if (check) store.setCheck(db, issueId, check, check.base, head);
    else if (!isOpen) store.setStatus(db, issueId, "error");
    if (mergedAt !== undefined) {
      const { mergeCommit: commit, mergedBy: author = UNKNOWN } = given;
      store.setMerged(db, issueId, { at: mergedAt, byId: userIdOf(author), commit, isByHand: false });
      const times = { createdAt: mergedAt, updatedAt: mergedAt };
      itemImports.append({ id: issueId, repoId: repo.id }, { kind: "merge_pull", author, body: "", ...times });
    }
    const name = pullRef(pull);
    const present = refs.find(repo.id, name)?.oid ?? null;
    if (head !== "" && present !== head) {
      const changes = [{ name, oldOid: present, newOid: head }];
      const [result] = refs.change(repo.id, { principal: seen.principal, changes, atomic: true, isInitial: true });
      if (!result?.ok) throw new Conflict("branch.changed");
    }
    for (const reviewerId of isOpen ? given.reviewerIds : [])
      insertReview(db, {
        issueId,
        kind: "request",
        reviewerId,
        teamId: undefined,
        isOfficial: false,
        createdAt: item.updatedAt,
      });
  }

  private insertReview(
    item: { readonly id: number; readonly repoId: number },
    { author, comments, commitId, createdAt, updatedAt, ...review }: ImportedReview,
    head: Oid,
  ): void {
    const { db, itemImports } = this.parts;
    const reviewerId = userIdOf(author);
    const { body, isDismissed, kind } = review;
    const reviewId = insertReview(db, {
      issueId: item.id,
      kind,
      reviewerId,
      teamId: undefined,
      isOfficial: false,
      createdAt,
    });
    const at = commitId || head;
    const isStale = review.isStale ?? at !== head;
    setImportedReview(db, reviewId, { body, commitId: at, isStale, isDismissed, updatedAt });
    itemImports.append(item, { kind: "review", author, body, reviewId, createdAt, updatedAt });
    for (const { resolvedBy, ...comment } of comments) {
      const entryId = itemImports.append(item, { ...comment, kind: "code", reviewId });
      insertCodeComment(db, entryId, { ...comment, commitId: comment.commitId || at });
      if (resolvedBy === undefined) continue;
      setImportedThread(db, entryId, userIdOf(resolvedBy), comment.updatedAt);
    }
  }

  /** An open one from the same repository follows its branch; for others the ref decides. Empty if there is none. */
  private headOf({ repo }: SeenRepo, { headBranch, headOid, isOfSameRepo, item }: ImportedPull): Oid {
    const { refs } = this.parts;
    const isFollowing = isOfSameRepo && item.closedAt === undefined;
    const branch = isFollowing ? refs.find(repo.id, BRANCHES + headBranch)?.oid : undefined;
    const found = branch ?? refs.find(repo.id, pullRef(item))?.oid;
    if (found !== undefined) return found;
    // A commit without a ref of its own counts only if it is the tip of a branch.
    return refs.list(repo.id, BRANCHES).some(({ oid }) => oid === headOid) ? headOid : "";
  }

  private baseOf({ repo }: SeenRepo, { baseBranch, baseOid, item }: ImportedPull): Oid {
    const tip = this.parts.pulls.baseTip({ repoId: repo.id, baseBranch }) ?? "";
    const isOver = item.closedAt !== undefined;
    return isOver && isOid(baseOid) ? baseOid : tip || baseOid;
  }

  /** A missing commit or a damaged repository is no reason to skip the pull request. */
  private async examined(
    seen: SeenRepo,
    { baseBranch, item }: ImportedPull,
    base: Oid,
    head: Oid,
  ): Promise<PullCheck | undefined> {
    try {
      return await this.parts.checks.examine(seen, baseBranch, base, head);
    } catch (error) {
      this.parts.log.info("where a pull request began could not be found out", {
        repo: seen.repo.id,
        number: item.number,
        error,
      });
      return undefined;
    }
  }
}

/** The reviews to insert in one transaction: at least one. */
function reviewsAtOnce(reviews: readonly ImportedReview[]): readonly ImportedReview[] {
  let entries = 0;
  const first = reviews.findIndex(({ comments }) => {
    entries += 1 + comments.length;
    return entries > MAX_ENTRIES;
  });
  return first === -1 ? reviews : reviews.slice(0, Math.max(1, first));
}
