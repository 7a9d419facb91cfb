import { atLeast } from "../../access/levels.ts";
import type { BranchService } from "../../content/branches/service.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import { Failure, NotFound } from "../../kernel/errors.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { headRepoOf } from "../head-repo.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";

/** Deletes the branch of a finished pull request, and restores it (contract pulls.md 16). */
export class BranchRemoval {
  constructor(
    private readonly pulls: PullService,
    private readonly repos: RepoService,
    private readonly branches: BranchService,
    private readonly protections: BranchProtections,
    private readonly storage: RepoStorage,
    private readonly timeline: Timeline,
  ) {}

  /** The repository of the branch, if the caller may delete it there. */
  removableFrom(item: SeenPull): SeenRepo | undefined {
    const { pull } = item;
    if (pull.isOpen || pull.isAgit || pull.headRepoId === undefined) return undefined;
    // Something was pushed after the merge.
    if (this.pulls.headTip(pull) !== pull.headOid) return undefined;
    const head = this.deletableIn(item);
    return head && this.pulls.openFrom(head.repo.id, pull.headBranch).length === 0 ? head : undefined;
  }

  /** Whether the caller may have the branch deleted with the merge. */
  mayGoWithMerge(item: SeenPull): boolean {
    return !item.pull.isAgit && this.deletableIn(item) !== undefined;
  }

  private deletableIn(item: SeenPull): SeenRepo | undefined {
    const { headBranch } = item.pull;
    const head = headRepoOf(this.repos, item);
    if (!head || head.repo.isArchived || !atLeast(head.access.on("code"), "write")) return undefined;
    if (headBranch === head.repo.defaultBranch) return undefined;
    return this.protections.ruleOf(head, headBranch) ? undefined : head;
  }

  /** The repository its branch was in, if the branch is gone, its commits are not, and the caller may restore it. */
  restorableIn(item: SeenPull): SeenRepo | undefined {
    const { pull } = item;
    if (pull.isOpen || pull.isAgit || pull.headRepoId === undefined || this.pulls.headTip(pull)) return undefined;
    const head = headRepoOf(this.repos, item);
    if (!head || head.repo.isArchived || !atLeast(head.access.on("code"), "write")) return undefined;
    return this.storage.objects(head.repo.id).has(pull.headOid) ? head : undefined;
  }

  /**
   * Restores the branch to where the pull request left it.
   * @throws NotFound; Conflict if it exists; Forbidden by a rule
   */
  async restore(item: SeenPull): Promise<void> {
    const head = this.restorableIn(item);
    if (!head) throw new NotFound();
    await this.branches.bringBack(head, item.pull.headBranch, item.pull.headOid);
  }

  /** If the caller may not delete the branch it stays: the merge stands all the same. @returns whether it is gone */
  async afterMerge(item: SeenPull): Promise<boolean> {
    const head = this.removableFrom(item);
    if (!head) return false;
    try {
      await this.branches.remove(head, item.pull.headBranch);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return false;
    }
    this.timeline.append(item, { kind: "delete_branch", oldText: item.pull.headBranch });
    return true;
  }
}
