import { atLeast } from "../access/levels.ts";
import type { HistoryService } from "../content/history/service.ts";
import type { Database } from "../db/database.ts";
import type { Labelling } from "../issues/labelling.ts";
import { mayWrite, requireEdit } from "../issues/rights.ts";
import type { IssueService } from "../issues/service.ts";
import { Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import { headRepoOf } from "./head-repo.ts";
import type { PullPushes } from "./pushes.ts";
import type { NewBase, Retargeting } from "./retargeting.ts";
import type { PullService } from "./service.ts";
import * as store from "./store.ts";
import { isMerged, type SeenPull } from "./types.ts";
import { isDraft } from "./values.ts";

/** The fields to change; absent ones stay as they are. */
export interface PullEdit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly contentVersion?: number | undefined;
  /** `null` removes it. */
  readonly dueAt?: number | null | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly labels?: readonly number[] | undefined;
  /** 0 leaves it unchanged. */
  readonly milestoneId?: number | undefined;
  readonly state?: string | undefined;
  readonly base?: string | undefined;
  readonly allowsMaintainerEdit?: boolean | undefined;
}

export interface EditParts {
  readonly db: Database;
  readonly history: HistoryService;
  readonly issues: IssueService;
  readonly labelling: Labelling;
  readonly milestones: MilestoneService;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly retargeting: Retargeting;
}

/** Changes pull requests (contract pulls.md 5.4). */
export class PullEditing {
  constructor(private readonly parts: EditParts) {}

  /**
   * All or nothing.
   * @throws Forbidden if the caller is neither poster nor writer; Conflict, NotFound, PreconditionFailed,
   *   ValidationFailed
   */
  async edit(item: SeenPull, edit: PullEdit): Promise<SeenPull> {
    const { db, pulls, pushes } = this.parts;
    requireEdit(item);
    this.requireMilestone(item, edit.milestoneId);
    if (edit.allowsMaintainerEdit !== undefined) this.requireHeadOwner(item);
    const base = await this.newBase(item, edit.base);
    db.transaction(() => this.apply(item, edit, base));
    const isReady = isDraft(item.issue.title) && !isDraft(edit.title || item.issue.title);
    // The response includes the effects on branches and reviews.
    if (base || edit.state !== undefined || isReady) await pushes.announce(item.issue.id, item.seen.principal);
    return pulls.refreshed(item);
  }

  private apply(item: SeenPull, edit: PullEdit, base: NewBase | undefined): void {
    const { db, issues, labelling, pulls, retargeting } = this.parts;
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
    if (base) {
      const now = { ...edited, pull: pulls.refreshed(item).pull };
      if (!now.pull.isOpen) throw this.closed(now);
      retargeting.apply(now, base);
    }
    if (edit.allowsMaintainerEdit !== undefined) store.setMaintainerEdit(db, item.issue.id, edit.allowsMaintainerEdit);
  }

  /**
   * @throws NotFound if there is no such branch; ValidationFailed if the pull request is closed or the branch already
   *   has its commits
   */
  private async newBase(item: SeenPull, branch = ""): Promise<NewBase | undefined> {
    const { history, refs, retargeting } = this.parts;
    const { pull, seen } = item;
    if (branch === "" || branch === pull.baseBranch || isMerged(pull)) return undefined;
    const tip = refs.find(seen.repo.id, `refs/heads/${branch}`)?.oid;
    if (tip === undefined) throw new NotFound("pull.no-such-base", { params: { name: branch } });
    if (await history.isAncestor(seen, pull.headOid, tip)) {
      if (!pull.isOpen) throw this.closed(item);
      throw new ValidationFailed("pull.branches-equal", { params: { base: branch, head: pull.headBranch } });
    }
    return retargeting.prepare(item, branch, tip);
  }

  private closed({ issue, pull, seen }: SeenPull): ValidationFailed {
    const params = { id: pull.id, repoId: seen.repo.id, number: issue.number };
    return new ValidationFailed("pull.is-closed", { params });
  }

  /** @throws NotFound if it doesn't belong to the repository */
  private requireMilestone(item: SeenPull, id = 0): void {
    if (id > 0 && mayWrite(item) && !this.parts.milestones.find(item.seen, id)) throw new NotFound();
  }

  /** Whether the caller may let maintainers of the base write to the head, which is in another repository. */
  mayAllowEdits(item: SeenPull): boolean {
    return item.pull.headRepoId !== item.seen.repo.id && this.ownsHead(item);
  }

  /** Only the poster may let others write to a branch, and only to one of their own. @throws Forbidden */
  private requireHeadOwner(item: SeenPull): void {
    if (!this.ownsHead(item)) throw new Forbidden("pull.may-not-allow-edits");
  }

  private ownsHead(item: SeenPull): boolean {
    const head = headRepoOf(this.parts.repos, item);
    const isPoster = item.seen.principal.user?.id === item.issue.posterId && item.issue.posterId !== undefined;
    return isPoster && head !== undefined && atLeast(head.access.on("code"), "write");
  }
}
