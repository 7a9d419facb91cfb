import { atLeast } from "../access/levels.ts";
import type { HistoryService } from "../content/history/service.ts";
import type { Database } from "../db/database.ts";
import type { Oid } from "../git/objects/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Labelling } from "../issues/labelling.ts";
import { mayWrite, requireEdit } from "../issues/rights.ts";
import type { IssueService } from "../issues/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { headRepoOf } from "./head-repo.ts";
import { PushEntries } from "./push-entries.ts";
import type { PullPushes } from "./pushes.ts";
import type { OfficialReviewers } from "./review/official.ts";
import { reviewsOf, setOfficial } from "./review/store.ts";
import { isVerdict } from "./review/types.ts";
import type { PullService } from "./service.ts";
import type { PullState } from "./state.ts";
import * as store from "./store.ts";
import { isMerged, type SeenPull } from "./types.ts";
import { isDraft } from "./values.ts";

/** What changes; absent stays. */
export interface PullEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly contentVersion?: number | undefined;
  /** `null` takes it away. */
  readonly dueAt?: number | null | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly labels?: readonly number[] | undefined;
  /** 0 says nothing. */
  readonly milestoneId?: number | undefined;
  readonly state?: string | undefined;
  readonly base?: string | undefined;
  readonly allowsMaintainerEdit?: boolean | undefined;
}

export interface EditParts {
  readonly db: Database;
  readonly history: HistoryService;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly labelling: Labelling;
  readonly milestones: MilestoneService;
  readonly official: OfficialReviewers;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly state: PullState;
  readonly storage: RepoStorage;
  readonly timeline: Timeline;
}

/** Another base, and the commits that are the pull request's own there. */
interface NewBase {
  readonly branch: string;
  readonly commits: readonly Oid[];
}

/** Changes pull requests (contract pulls.md 5.4). */
export class PullEditing {
  private readonly entries: PushEntries;

  constructor(private readonly parts: EditParts) {
    this.entries = new PushEntries(parts.db, parts.timeline);
  }

  /**
   * All or nothing.
   * @throws Forbidden neither poster nor writer; Conflict, NotFound, PreconditionFailed, ValidationFailed
   */
  async edit(item: SeenPull, edit: PullEdit): Promise<SeenPull> {
    const { db, pulls, pushes } = this.parts;
    requireEdit(item);
    this.requireMilestone(item, edit.milestoneId);
    if (edit.allowsMaintainerEdit !== undefined) this.requireHeadOwner(item);
    const base = await this.newBase(item, edit.base);
    db.transaction(() => this.apply(item, edit, base));
    const isReady = isDraft(item.issue.title) && !isDraft(edit.title || item.issue.title);
    // What follows for branches and reviews is part of the answer.
    if (base || edit.state !== undefined || isReady) await pushes.announce(item.issue.id, item.seen.principal);
    return pulls.refreshed(item);
  }

  private apply(item: SeenPull, edit: PullEdit, base: NewBase | undefined): void {
    const { db, issues, labelling, pulls } = this.parts;
    const { assignees, body, contentVersion, dueAt, milestoneId = 0, state, title } = edit;
    const edited = issues.edit(item, {
      assignees,
      body,
      contentVersion,
      dueAt,
      state,
      title,
      ...(milestoneId > 0 ? { milestoneId } : {}),
    });
    if (edit.labels && mayWrite(item)) labelling.set(edited, labelling.usable(edited, edit.labels));
    if (base) this.retarget({ ...edited, pull: pulls.refreshed(item).pull }, base);
    if (edit.allowsMaintainerEdit !== undefined) store.setMaintainerEdit(db, item.issue.id, edit.allowsMaintainerEdit);
  }

  /** @throws NotFound there is no such branch; ValidationFailed closed, or the branch has it all */
  private async newBase(item: SeenPull, branch = ""): Promise<NewBase | undefined> {
    const { history, pool, refs, storage } = this.parts;
    const { pull, seen } = item;
    if (branch === "" || branch === pull.baseBranch || isMerged(pull)) return undefined;
    const tip = refs.find(seen.repo.id, `refs/heads/${branch}`)?.oid;
    if (tip === undefined) throw new NotFound("pull.no-such-base", { params: { name: branch } });
    if (await history.isAncestor(seen, pull.headOid, tip)) {
      if (!pull.isOpen) throw this.closed(item);
      throw new ValidationFailed("pull.branches-equal", { params: { base: branch, head: pull.headBranch } });
    }
    const input = { repoDir: storage.dirOf(seen.repo.id), oldHead: undefined, newHead: pull.headOid, base: tip };
    return { branch, commits: (await pool.run("pulls.pushed", input)).commits };
  }

  private retarget(item: SeenPull, { branch, commits }: NewBase): void {
    const { state } = this.parts;
    if (!item.pull.isOpen) throw this.closed(item);
    state.retarget(item, branch);
    this.entries.restart(item, commits);
    this.reviseOfficials(item, branch);
  }

  /** An approval that another branch's rule would not count must not count there: reviews are judged again. */
  private reviseOfficials({ issue, seen }: SeenPull, branch: string): void {
    const { db, identity, official } = this.parts;
    const latest = new Map<number, number>();
    const reviews = reviewsOf(db, issue.id, 0);
    for (const review of reviews)
      if (review.reviewerId !== undefined && (isVerdict(review) || review.kind === "request"))
        latest.set(review.reviewerId, review.id);
    for (const { id, reviewerId } of reviews) {
      const user = reviewerId !== undefined && latest.get(reviewerId) === id ? identity.byId(reviewerId) : undefined;
      if (reviewerId !== undefined) setOfficial(db, id, user !== undefined && official.isOfficial(seen, branch, user));
    }
  }

  private closed({ issue, pull, seen }: SeenPull): ValidationFailed {
    const params = { id: pull.id, repoId: seen.repo.id, number: issue.number };
    return new ValidationFailed("pull.is-closed", { params });
  }

  /** @throws NotFound it is none of the repository's */
  private requireMilestone(item: SeenPull, id = 0): void {
    if (id > 0 && mayWrite(item) && !this.parts.milestones.find(item.seen, id)) throw new NotFound();
  }

  /** Whether the one who asks may let those who maintain the base write to the head, which is in another repository. */
  mayAllowEdits(item: SeenPull): boolean {
    return item.pull.headRepoId !== item.seen.repo.id && this.ownsHead(item);
  }

  /** Only the poster lets others write to a branch, and only to one of theirs. @throws Forbidden */
  private requireHeadOwner(item: SeenPull): void {
    if (!this.ownsHead(item)) throw new Forbidden("pull.may-not-allow-edits");
  }

  private ownsHead(item: SeenPull): boolean {
    const head = headRepoOf(this.parts.repos, item);
    const isPoster = item.seen.principal.user?.id === item.issue.posterId && item.issue.posterId !== undefined;
    return isPoster && head !== undefined && atLeast(head.access.on("code"), "write");
  }
}
