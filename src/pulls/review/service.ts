import { atLeast } from "../../access/levels.ts";
import { accountOf, isSiteAdmin, type Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Attachments } from "../../issues/attachments/service.ts";
import type { Comments } from "../../issues/comments/service.ts";
import { contextOf, eventOf } from "../../issues/context.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { TimelineEntry } from "../../issues/timeline/types.ts";
import { checkBody } from "../../issues/values.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { CodeComments, NewCodeComment } from "./comments.ts";
import type { OfficialReviewers } from "./official.ts";
import type { ReviewRequests } from "./requests.ts";
import * as store from "./store.ts";
import { isVerdict, type Review, type ReviewKind, reviewStates } from "./types.ts";

export interface NewReview {
  /** The API's word; unknown or missing ones count as `PENDING`. */
  readonly event: string;
  readonly body: string;
  /** The head that was reviewed; empty: the current one. */
  readonly commitId: string;
  readonly comments: readonly NewCodeComment[];
  /** Addresses of files uploaded for its body. */
  readonly files?: readonly string[];
}

export interface ReviewParts {
  readonly attachments: Attachments;
  readonly clock: Clock;
  readonly codeComments: CodeComments;
  readonly comments: Comments;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly official: OfficialReviewers;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly requests: ReviewRequests;
  readonly revisions: RevisionService;
  readonly storage: RepoStorage;
  readonly teams: TeamService;
  readonly timeline: Timeline;
}

/** Reviews of a pull request as a whole (contract pulls.md 6). */
export class Reviews {
  constructor(private readonly parts: ReviewParts) {}

  /** Oldest first; without pending ones of others. */
  list(item: SeenPull, { limit, offset }: Pick<Paging, "limit" | "offset">): Slice<Review> {
    const all = this.all(item);
    return { items: all.slice(offset, offset + limit), total: all.length };
  }

  all({ issue, seen }: SeenPull): Review[] {
    const viewer = isSiteAdmin(seen.principal) ? "all" : (seen.principal.user?.id ?? 0);
    return store.reviewsOf(this.parts.db, issue.id, viewer);
  }

  /** The public reviews of many pull requests, in the order of their last change. */
  ofEach(issueIds: readonly number[]): Review[] {
    return store.reviewsOfEach(this.parts.db, issueIds);
  }

  /** @throws NotFound if unknown, of another pull request, or pending and someone else's */
  get({ issue, seen }: SeenPull, id: number): Review {
    const found = store.findReview(this.parts.db, id);
    if (!found || found.issueId !== issue.id || isHiddenFrom(seen.principal, found)) throw new NotFound();
    return found;
  }

  /** Like `get`, if only the repository is known. @throws NotFound */
  find({ principal, repo }: SeenRepo, id: number): { readonly item: SeenPull; readonly review: Review } {
    const { db, pulls } = this.parts;
    const issueId = store.findReview(db, id)?.issueId;
    const item = issueId === undefined ? undefined : pulls.byId(principal, issueId);
    if (item?.seen.repo.id !== repo.id) throw new NotFound();
    return { item, review: this.get(item, id) };
  }

  /** Whether a timeline entry belongs to a review that the principal may not see yet. */
  hides(principal: Principal, { reviewId }: TimelineEntry): boolean {
    const found = reviewId === undefined ? undefined : store.findReview(this.parts.db, reviewId);
    return found !== undefined && isHiddenFrom(principal, found);
  }

  /** The caller's own review that is not submitted yet. */
  pendingOf({ issue, seen }: SeenPull): Review | undefined {
    const { user } = seen.principal;
    if (!user) return undefined;
    return store
      .reviewsOf(this.parts.db, issue.id, user.id)
      .find(({ kind, reviewerId }) => kind === "pending" && reviewerId === user.id);
  }

  /**
   * Submits a review, or starts one. A caller with a pending review continues it.
   * @throws ValidationFailed; Forbidden if locked or blocked
   */
  async create(item: SeenPull, given: NewReview): Promise<Review> {
    const { codeComments, comments, db } = this.parts;
    const reviewer = accountOf(item.seen.principal);
    const kind = kindOf(given.event);
    const pending = this.pendingOf(item);
    comments.requireMayComment(item);
    this.requireAllowed(item, reviewer, kind);
    requireWords(kind, given.event, given.body, given.comments.length + (pending?.comments ?? 0));
    checkBody(given.body);
    const commitId = await this.commitOf(item, given.commitId);
    const prepared = await codeComments.prepare(item, given.comments);
    const isStale = await this.isStale(item, commitId);
    return db.transaction(() => {
      const id = this.pendingOf(item)?.id ?? this.begin(item, reviewer);
      for (const comment of prepared) codeComments.insert(item, id, comment);
      this.settle(item, id, { kind, reviewer, body: given.body, commitId, isStale, files: given.files ?? [] });
      return this.required(id);
    });
  }

  /** Adds comments to the caller's pending review, starting one if necessary. */
  async draft(item: SeenPull, given: readonly NewCodeComment[]): Promise<Review> {
    const { codeComments, comments, db } = this.parts;
    const reviewer = accountOf(item.seen.principal);
    comments.requireMayComment(item);
    const prepared = await codeComments.prepare(item, given);
    return db.transaction(() => {
      const id = this.pendingOf(item)?.id ?? this.begin(item, reviewer);
      for (const comment of prepared) codeComments.insert(item, id, comment);
      return this.required(id);
    });
  }

  /** Adds a comment to a review. @throws Forbidden if it is someone else's; ValidationFailed; NotFound */
  async addComment(item: SeenPull, review: Review, given: NewCodeComment): Promise<number> {
    const { codeComments, comments, db, outbox } = this.parts;
    const doer = accountOf(item.seen.principal);
    comments.requireMayComment(item);
    if (review.kind === "request") throw new ValidationFailed("review.is-request");
    if (review.reviewerId !== doer.id) throw new Forbidden("review.not-yours");
    const [prepared] = await codeComments.prepare(item, [given]);
    if (!prepared) throw new Error("a prepared comment is there");
    return db.transaction(() => {
      const id = codeComments.insert(item, this.get(item, review.id).id, prepared);
      if (review.kind !== "pending")
        outbox.append("comment.created", contextOf(item.seen, item.issue), { ...eventOf(item.issue), entryId: id });
      return id;
    });
  }

  /**
   * Submits a pending review.
   * @throws ValidationFailed if it is not pending; Forbidden if the caller did not write it; as `create`
   */
  async submit(item: SeenPull, review: Review, event: string, body: string): Promise<Review> {
    const { comments, db } = this.parts;
    const reviewer = accountOf(item.seen.principal);
    const kind = kindOf(event);
    if (review.kind !== "pending") throw new ValidationFailed("review.not-pending");
    if (review.reviewerId !== reviewer.id) throw new Forbidden("review.not-yours");
    comments.requireMayComment(item);
    if (kind === "pending" && body.trim() !== "") throw new ValidationFailed("review.stays-pending");
    this.requireAllowed(item, reviewer, kind);
    requireWords(kind, event, body, review.comments);
    checkBody(body);
    return db.transaction(() => {
      // It may have been sent twice.
      if (this.get(item, review.id).kind !== "pending") throw new ValidationFailed("review.not-pending");
      this.settle(item, review.id, { kind, reviewer, body, commitId: item.pull.headOid, isStale: false, files: [] });
      return this.required(review.id);
    });
  }

  /** @throws Forbidden unless the caller is its author or a site administrator; ValidationFailed for a request */
  remove(item: SeenPull, review: Review): void {
    const { db, identity, requests } = this.parts;
    const { principal } = item.seen;
    if (review.reviewerId !== accountOf(principal).id && !isSiteAdmin(principal))
      throw new Forbidden("review.not-deletable");
    if (review.kind === "request") throw new ValidationFailed("review.is-request");
    db.transaction(() => {
      store.uncountEntries(db, review);
      // Its entry and comments are deleted with it.
      store.deleteReview(db, review.id);
      const reviewer = review.reviewerId === undefined ? undefined : identity.byId(review.reviewerId);
      if (review.isOfficial && reviewer) requests.restoreOfficial(item, reviewer);
    });
  }

  /**
   * Makes a verdict stop counting.
   * @param priors also dismisses earlier ones of the same reviewer.
   * @throws Forbidden
   */
  dismiss(item: SeenPull, review: Review, message: string, priors: boolean): Review {
    const { clock, db, outbox, timeline } = this.parts;
    this.requireDismissable(item, review);
    checkBody(message, "message");
    return db.transaction(() => {
      const now = clock();
      const others = priors ? store.reviewsOf(db, item.issue.id, 0).filter((other) => isPrior(other, review)) : [];
      for (const { id } of [...others, review]) store.setDismissed(db, id, true, now);
      timeline.append(item, { kind: "dismiss_review", body: message, reviewId: review.id });
      const payload = { ...eventOf(item.issue), reviewId: review.id };
      outbox.append("pull.review-dismissed", contextOf(item.seen, item.issue), payload);
      return this.required(review.id);
    });
  }

  /** @throws Forbidden */
  undismiss(item: SeenPull, review: Review): Review {
    const { clock, db } = this.parts;
    this.requireDismissable(item, review);
    store.setDismissed(db, review.id, false, clock());
    return this.required(review.id);
  }

  private requireDismissable({ pull, seen }: SeenPull, review: Review): void {
    if (!atLeast(seen.access.level, "admin")) throw new Forbidden("review.needs-repo-admin");
    if (!isVerdict(review)) throw new Forbidden("review.no-verdict");
    if (!pull.isOpen) throw new Forbidden("review.dismissal-too-late");
  }

  private requireAllowed({ issue, pull }: SeenPull, reviewer: User, kind: ReviewKind): void {
    if (!isVerdict({ kind })) return;
    if (reviewer.id === issue.posterId)
      throw new ValidationFailed(kind === "approve" ? "review.own-approval" : "review.own-rejection");
    if (!pull.isOpen) throw new ValidationFailed("review.too-late");
  }

  private begin({ issue }: SeenPull, reviewer: User): number {
    const { clock, db } = this.parts;
    const at = clock();
    const row = { issueId: issue.id, kind: "pending", teamId: undefined, isOfficial: false, createdAt: at } as const;
    return store.insertReview(db, { ...row, reviewerId: reviewer.id });
  }

  /** Gives a pending review its kind, with all consequences. Joins the running transaction. */
  private settle(
    item: SeenPull,
    id: number,
    said: {
      readonly kind: ReviewKind;
      readonly reviewer: User;
      readonly body: string;
      readonly commitId: Oid;
      readonly isStale: boolean;
      readonly files: readonly string[];
    },
  ): void {
    const { attachments, clock, db, official, outbox, timeline } = this.parts;
    const { issue, pull, seen } = item;
    const { body, commitId, files, isStale, kind, reviewer } = said;
    const isOfficial = isVerdict({ kind }) && official.isOfficial(seen, pull.baseBranch, reviewer);
    store.submitReview(db, id, { kind, body, commitId, isOfficial, isStale, at: clock() });
    if (kind === "pending" || kind === "request") return;
    this.answerRequests(item, reviewer, kind);
    if (isVerdict({ kind })) store.dismissEarlier(db, issue.id, reviewer.id, id);
    const entry = timeline.append(item, { kind: "review", body, reviewId: id });
    attachments.use({ item, entry }, files);
    outbox.append("pull.reviewed", contextOf(seen, issue), {
      ...eventOf(issue),
      reviewId: id,
      entryId: entry.id,
      kind,
    });
  }

  /** A reviewer who responds is no longer asked; a verdict also answers for the reviewer's teams. */
  private answerRequests({ issue, seen }: SeenPull, reviewer: User, kind: ReviewKind): void {
    const { db, teams } = this.parts;
    const isOrganization = seen.owner.kind === "organization";
    const own = isOrganization && isVerdict({ kind }) ? teams.ofMember(seen.owner, reviewer).map(({ id }) => id) : [];
    for (const { id, kind: other, reviewerId, teamId } of store.reviewsOf(db, issue.id, 0))
      if (other === "request" && (reviewerId === reviewer.id || (teamId !== undefined && own.includes(teamId)))) {
        store.detachEntries(db, id);
        store.deleteReview(db, id);
      }
  }

  /** @throws ValidationFailed if it is not a commit that may be shown */
  private async commitOf({ pull, seen }: SeenPull, given: string): Promise<Oid> {
    if (given === "" || given === pull.headOid) return pull.headOid;
    const isKnown =
      isOid(given) && (await this.parts.revisions.settled(() => this.parts.revisions.mayShow(seen, given)));
    if (!isKnown) throw new ValidationFailed("review.unknown-commit", { field: "commit_id", params: { id: given } });
    return given;
  }

  /** Whether the change is different by now. */
  private async isStale({ pull, seen }: SeenPull, commitId: Oid): Promise<boolean> {
    if (commitId === pull.headOid) return false;
    const { pool, storage } = this.parts;
    const base = pull.checkedBase || pull.headOid;
    const input = { repoDir: storage.dirOf(seen.repo.id), oldHead: commitId, newHead: pull.headOid, base };
    return (await pool.run("pulls.pushed", input)).changesContent;
  }

  private required(id: number): Review {
    const found = store.findReview(this.parts.db, id);
    if (!found) throw new NotFound();
    return found;
  }
}

const isPrior = (other: Review, review: Review) =>
  other.reviewerId === review.reviewerId && isVerdict(other) && !other.isDismissed && other.id < review.id;

/** Exact words; anything else is an unfinished review. */
function kindOf(event: string): ReviewKind {
  const found = (["approve", "reject", "comment"] as const).find((kind) => reviewStates[kind] === event);
  return found ?? "pending";
}

/** @throws ValidationFailed */
function requireWords(kind: ReviewKind, event: string, body: string, comments: number): void {
  if (kind === "approve" || body.trim() !== "") return;
  if (kind === "comment" && comments > 0) return;
  if (kind === "comment") throw new ValidationFailed("review.needs-body-or-comment", { field: "body" });
  throw new ValidationFailed("review.needs-body", { field: "body", params: { event: event || "PENDING" } });
}

/** Pending reviews are visible to their author and to site administrators. */
function isHiddenFrom(principal: Principal, { kind, reviewerId }: Review): boolean {
  return kind === "pending" && !isSiteAdmin(principal) && reviewerId !== principal.user?.id;
}
