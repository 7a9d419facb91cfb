import { atLeast } from "../../access/levels.ts";
import { accountOf } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { Attachments } from "../../issues/attachments/service.ts";
import type { Comments } from "../../issues/comments/service.ts";
import { contextOf, eventOf } from "../../issues/context.ts";
import type { IssueService } from "../../issues/service.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import { checkBody } from "../../issues/values.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Forbidden, Locked, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { Hunks } from "./hunks.ts";
import type { OfficialReviewers } from "./official.ts";
import type { ReviewStaleness } from "./staleness.ts";
import * as store from "./store.ts";
import type { CodeComment, CodeLine, Review } from "./types.ts";

export interface NewCodeComment extends CodeLine {
  readonly body: string;
  /** Whether it is about the whole file; its line is then 0. */
  readonly isOfFile?: boolean;
  /** Addresses of files uploaded for it. */
  readonly files?: readonly string[];
}

/** A comment with the details determined from its line. */
export interface PreparedComment extends NewCodeComment {
  readonly hunk: string;
  readonly commitId: string;
}

/** A comment on code as one principal sees it. */
export interface SeenCodeComment {
  readonly item: SeenPull;
  readonly comment: CodeComment;
}

export interface CodeCommentParts {
  readonly attachments: Attachments;
  readonly clock: Clock;
  readonly comments: Comments;
  readonly db: Database;
  readonly hunks: Hunks;
  readonly issues: IssueService;
  readonly official: OfficialReviewers;
  readonly outbox: Outbox;
  readonly pulls: PullService;
  readonly staleness: ReviewStaleness;
  readonly timeline: Timeline;
}

/** Maximum comments submitted at once. */
const MAX_COMMENTS = 200;

/** Comments on lines of a change (contract pulls.md 6.7). */
export class CodeComments {
  constructor(private readonly parts: CodeCommentParts) {}

  /** Determines the lines that comments refer to, before anything is stored. @throws ValidationFailed */
  async prepare(item: SeenPull, comments: readonly NewCodeComment[]): Promise<PreparedComment[]> {
    if (comments.length > MAX_COMMENTS)
      throw new ValidationFailed("value.too-long", { field: "comments", params: { name: "Comments" } });
    for (const { body } of comments) {
      if (body.trim() === "")
        throw new ValidationFailed("value.required", { field: "comments", params: { name: "Body" } });
      checkBody(body, "comments");
    }
    const prepared: PreparedComment[] = [];
    for (const comment of comments) {
      const { hunks } = this.parts;
      if (comment.isOfFile) hunks.requireFile(item, comment.path);
      const hunk = comment.isOfFile ? "" : await hunks.around(item, comment);
      prepared.push({ ...comment, hunk, commitId: await this.commitOf(item, comment) });
    }
    return prepared;
  }

  /** Joins the running transaction. @throws BadRequest for a file that cannot be used */
  insert(item: SeenPull, reviewId: number, comment: PreparedComment, isOutdated = false): number {
    const { attachments, db, timeline } = this.parts;
    const { files = [], ...said } = comment;
    const entry = timeline.append(item, { kind: "code", body: said.body, reviewId });
    store.insertCodeComment(db, entry.id, { ...said, isOutdated });
    attachments.use({ item, entry }, files);
    return entry.id;
  }

  /** The comments of a review, by path and line. */
  of(review: Review): CodeComment[] {
    return store.commentsOf(this.parts.db, review.id);
  }

  /** All comments of a pull request that its viewer may read. */
  ofPull({ issue, seen }: SeenPull): CodeComment[] {
    return store.commentsOfIssue(this.parts.db, issue.id, seen.principal.user?.id ?? 0);
  }

  /** How many of those refer to lines that are gone. */
  countOutdated({ issue, seen }: SeenPull): number {
    return store.countOutdated(this.parts.db, issue.id, seen.principal.user?.id ?? 0);
  }

  /** A comment of a review. @throws NotFound */
  get(review: Review, id: number): CodeComment {
    const found = store.findComment(this.parts.db, id);
    if (found?.reviewId !== review.id) throw new NotFound();
    return found;
  }

  /**
   * A comment of a repository, by id.
   * @throws NotFound if unknown, or pending and someone else's; BadRequest if it is not a comment on code of a pull
   *   request
   */
  find(seen: SeenRepo, id: number): SeenCodeComment {
    const { db, issues, pulls } = this.parts;
    const entry = store.findWritten(db, seen.repo.id, id);
    const [item] = entry ? issues.seeEach(seen.principal, [entry.issueId]) : [];
    const missing = () => new NotFound("comment.missing", { params: { id } });
    if (!entry || !item) throw missing();
    if (!item.issue.isPull) throw new BadRequest("review.comment-of-issue");
    const comment = entry.kind === "code" ? store.findComment(db, id) : undefined;
    if (!comment || comment.reviewId === 0) throw new BadRequest("review.plain-comment");
    const pull = pulls.of(item);
    const review = store.findReview(db, comment.reviewId);
    const isHidden = review?.kind === "pending" && review.reviewerId !== seen.principal.user?.id;
    if (!pull || isHidden) throw missing();
    return { item: pull, comment };
  }

  /**
   * Replies immediately, in the same conversation.
   * @param files addresses of files uploaded for it
   * @throws Forbidden if locked or blocked; ValidationFailed if empty; BadRequest for a file that cannot be used
   */
  reply({ comment, item }: SeenCodeComment, body: string, files: readonly string[] = []): CodeComment {
    const { comments, db, outbox } = this.parts;
    comments.requireMayComment(item);
    if (body.trim() === "") throw new ValidationFailed("value.required", { field: "body", params: { name: "Body" } });
    checkBody(body);
    const { commitId, hunk, isOutdated, line, path, reviewId, startLine } = comment;
    return db.transaction(() => {
      const id = this.insert(item, reviewId, { body, commitId, files, hunk, line, path, startLine }, isOutdated);
      outbox.append("comment.created", contextOf(item.seen, item.issue), { ...eventOf(item.issue), entryId: id });
      const made = store.findComment(db, id);
      if (!made) throw new NotFound();
      return made;
    });
  }

  /** Resolves or reopens a conversation; does nothing if already done. @throws Forbidden, Locked */
  resolve({ comment, item }: SeenCodeComment, isResolved: boolean): void {
    const { clock, db } = this.parts;
    if (item.seen.repo.isArchived) throw new Locked("repository.archived");
    if (!this.mayResolve(item)) throw new Forbidden("review.may-not-resolve");
    if (isResolved && comment.isResolved) return;
    store.setResolved(db, comment, isResolved ? accountOf(item.seen.principal).id : null, clock());
  }

  /** The poster, those who can write pull requests, and those whose reviews count. */
  mayResolve({ issue, level, pull, seen }: SeenPull): boolean {
    const { user } = seen.principal;
    if (!user) return false;
    if (user.id === issue.posterId || atLeast(level, "write")) return true;
    return this.parts.official.isOfficial(seen, pull.baseBranch, user);
  }

  /** The commit that last changed the line; the head if unknown. */
  private async commitOf({ pull, seen }: SeenPull, { line, path }: CodeLine): Promise<string> {
    if (line <= 0) return pull.headOid;
    const lines = await this.parts.staleness.commitsOfLines(seen, pull.headOid, path);
    return lines?.(line) ?? pull.headOid;
  }
}
