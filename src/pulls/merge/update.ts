import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { HistoryService } from "../../content/history/service.ts";
import type { ReplayService } from "../../content/replays/service.ts";
import type { ReplayAction } from "../../git/replay/replay.job.ts";
import type { IdentityService } from "../../identity/service.ts";
import { Conflict, Forbidden, Locked, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { RepoService } from "../../repos/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { headRepoOf } from "../head-repo.ts";
import type { PullObjects } from "../objects.ts";
import type { PullPushes } from "../pushes.ts";
import type { PullService } from "../service.ts";
import { isMerged, type SeenPull } from "../types.ts";
import type { MergeConditions } from "./conditions.ts";

export interface UpdateParts {
  readonly conditions: MergeConditions;
  readonly history: HistoryService;
  readonly identity: IdentityService;
  readonly objects: PullObjects;
  readonly protections: BranchProtections;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly replays: ReplayService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

export type UpdateStyle = "merge" | "rebase";

/** Brings heads up to date with their base (contract pulls.md 5.9). */
export class BranchUpdates {
  constructor(private readonly parts: UpdateParts) {}

  /**
   * Does nothing if the head already contains its base.
   * @throws ValidationFailed if it is closed; Forbidden; Conflict if contents conflict, or the branch moved meanwhile
   */
  async update(item: SeenPull, style: UpdateStyle): Promise<void> {
    const { history, objects, pulls, pushes, replays, storage } = this.parts;
    const { pull, seen } = item;
    if (isMerged(pull)) throw new ValidationFailed("pull.merged-already");
    if (!pull.isOpen) throw new ValidationFailed("pull.closed-already");
    const head = headRepoOf(this.parts.repos, item);
    if (pull.headRepoId !== undefined && !head) throw new NotFound();
    if (!head || pull.isAgit) throw new Forbidden("pull.may-not-update");
    this.permit(item, head, style);
    const [base, tip] = [pulls.baseTip(pull), pulls.headTip(pull)];
    if (base === undefined || tip === undefined) throw new Conflict("branch.changed");
    const release = storage.writing(head.repo.id);
    try {
      await objects.bringBase(seen.repo.id, head.repo.id, base, tip);
      if (await history.isAncestor(head, base, tip)) return;
      const outcome = await replays.publish(head, {
        branch: pull.headBranch,
        expected: tip,
        action: actionOf(item, style, base, tip),
        via: "push",
        permit: (now) => this.permit(item, now, style),
      });
      if (outcome.kind === "conflict")
        throw new Conflict(style === "rebase" ? "pull.rebase-conflict" : "pull.merge-conflict");
    } finally {
      release();
    }
    await pushes.announce(item.issue.id, seen.principal);
  }

  /** Whether the caller may update it. */
  mayUpdate(item: SeenPull, style: UpdateStyle): boolean {
    const { isAgit, isOpen } = item.pull;
    if (isAgit || !isOpen) return false;
    const head = headRepoOf(this.parts.repos, item);
    return head !== undefined && !head.repo.isArchived && this.isAllowed(item, head, style);
  }

  /** Whether the caller may add commits to the head, which must be visible to them. */
  mayCommit(item: SeenPull, head: SeenRepo): boolean {
    const { isAgit, isOpen } = item.pull;
    return isOpen && !isAgit && !head.repo.isArchived && this.mayWrite(item, head, false);
  }

  /**
   * Whether the caller may write to the head as a maintainer: those who may merge can, with the poster's permission, do
   * what the poster could (contract pulls.md 14).
   */
  maintains({ issue, pull, seen }: SeenPull, head: SeenRepo, isForced: boolean): boolean {
    const { conditions, identity, repos } = this.parts;
    if (!pull.allowsMaintainerEdit || !conditions.mayMerge(seen, pull.baseBranch)) return false;
    const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
    const asPoster = poster && repos.seeById(asAccount(poster), head.repo.id);
    return asPoster !== undefined && this.mayPush(asPoster, pull.headBranch, isForced);
  }

  private permit(item: SeenPull, head: SeenRepo, style: UpdateStyle): void {
    if (head.repo.isArchived) throw new Locked("repository.archived");
    if (!this.isAllowed(item, head, style)) throw new Forbidden("pull.may-not-update");
  }

  private isAllowed(item: SeenPull, head: SeenRepo, style: UpdateStyle): boolean {
    const settings = mergeSettings(item.seen.repo.settings);
    if (!(style === "rebase" ? settings.allowRebaseUpdate : settings.allowMergeUpdate)) return false;
    return this.mayWrite(item, head, style === "rebase");
  }

  /** Whether the caller may move the head branch, in their own right or as a maintainer of the base. */
  mayWrite(item: SeenPull, head: SeenRepo, isForced: boolean): boolean {
    return this.mayPush(head, item.pull.headBranch, isForced) || this.maintains(item, head, isForced);
  }

  private mayPush(head: SeenRepo, branch: string, isForced: boolean): boolean {
    const { permissions } = this.parts.protections;
    const rule = this.parts.protections.ruleOf(head, branch);
    if (!rule) return atLeast(head.access.on("code"), "write");
    return isForced ? permissions.mayForcePush(head, rule) : permissions.mayPush(head, rule);
  }
}

function actionOf({ pull, seen }: SeenPull, style: UpdateStyle, base: string, tip: string): ReplayAction {
  const ignoreSpaceChange = mergeSettings(seen.repo.settings).ignoreWhitespaceConflicts;
  if (style === "rebase") return { kind: "rebase", onto: base, upstream: base, branch: tip, ignoreSpaceChange };
  const message = `Merge branch '${pull.baseBranch}' into ${pull.headBranch}\n`;
  return { kind: "merge", base: tip, head: base, message, ignoreSpaceChange };
}
