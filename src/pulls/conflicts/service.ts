import type { HistoryService } from "../../content/history/service.ts";
import type { ReplayService } from "../../content/replays/service.ts";
import type { Resolution } from "../../git/merge/resolutions.ts";
import type { Oid } from "../../git/objects/types.ts";
import { Conflict, Forbidden, Locked, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { RepoService } from "../../repos/service.ts";
import { mergeSettings } from "../../repos/settings/defaults.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import { headRepoOf } from "../head-repo.ts";
import type { BranchUpdates } from "../merge/update.ts";
import type { PullObjects } from "../objects.ts";
import type { PullPushes } from "../pushes.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import { type ConflictLabels, type Conflicts, markersOf } from "./types.ts";

export interface ConflictParts {
  readonly history: HistoryService;
  readonly objects: PullObjects;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly replays: ReplayService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
  readonly updates: BranchUpdates;
}

/** The commits that were shown to the person resolving the conflicts. */
export interface ConflictTips {
  readonly head: Oid;
  readonly base: Oid;
}

export interface Decisions extends ConflictTips {
  /** Empty: the default. */
  readonly message: string;
  /** One for each conflicted path. */
  readonly resolutions: readonly Resolution[];
}

/** Conflicts of pull requests and their resolution: a merge of the base into the head. */
export class PullConflicts {
  constructor(private readonly parts: ConflictParts) {}

  /** The commits a resolution would apply to; undefined if the pull request is closed or a branch is gone. */
  tips({ pull }: SeenPull): ConflictTips | undefined {
    const base = this.parts.pulls.baseTip(pull);
    return pull.isOpen && base !== undefined ? { head: pull.headOid, base } : undefined;
  }

  /** What has to be resolved to merge these two. */
  async read({ pull, seen }: SeenPull, { base, head }: ConflictTips): Promise<Conflicts> {
    const { pool, storage } = this.parts;
    const input = {
      repoDir: storage.dirOf(seen.repo.id),
      head,
      base,
      labels: labelsOf(pull),
      ignoreSpaceChange: mergeSettings(seen.repo.settings).ignoreWhitespaceConflicts,
    };
    try {
      return await pool.run("pulls.conflicts", input, { lane: "interactive" });
    } catch (error) {
      // Unrelated histories or too many merge bases: nothing that could be resolved file by file.
      const names = ["UnrelatedHistories", "TooManyBases"];
      if (error instanceof JobFailed && names.includes(error.originalName))
        return { files: [], more: 0, isClean: false };
      throw error;
    }
  }

  /** Whether the caller may write to the head branch: its own writers, and maintainers allowed by the poster. */
  mayResolve(item: SeenPull): boolean {
    const head = this.headOf(item);
    return head !== undefined && !head.repo.isArchived && this.parts.updates.mayWrite(item, head, false);
  }

  /** The default message of the merge. */
  messageOf({ pull }: SeenPull): string {
    return `Merge branch '${pull.baseBranch}' into ${pull.headBranch}`;
  }

  /**
   * Commits the resolution as a merge of the base into the head branch.
   * @throws Forbidden; Locked; Conflict if the head moved (`pull.head-out-of-date`) or conflicts are unresolved
   *   (`pull.undecided`); ValidationFailed for a text that contains markers, or content that git would refuse
   */
  async resolve(item: SeenPull, { base, head, message, resolutions }: Decisions): Promise<void> {
    const { history, objects, pulls, pushes, replays, storage } = this.parts;
    const { pull, seen } = item;
    const target = this.headOf(item);
    if (!target) throw new Forbidden("pull.may-not-update");
    this.permit(item, target);
    const [baseTip, headTip] = [pulls.baseTip(pull), pulls.headTip(pull)];
    if (headTip !== head) throw new Conflict("pull.head-out-of-date");
    // The base may have moved on: what was shown of it is merged as long as it is still part of it.
    if (baseTip === undefined || !(await this.isPartOf(seen, base, baseTip))) throw new Conflict("pull.base-moved");
    requireNoMarkers(resolutions, labelsOf(pull));
    const release = storage.writing(target.repo.id);
    try {
      await objects.bringBase(seen.repo.id, target.repo.id, baseTip, headTip);
      if (await history.isAncestor(target, base, head)) throw new Conflict("pull.nothing-to-merge");
      const outcome = await replays.publish(target, {
        branch: pull.headBranch,
        expected: head,
        action: {
          kind: "merge",
          base: head,
          head: base,
          message: `${message.replaceAll("\0", "").trim() || this.messageOf(item)}\n`,
          resolutions,
          labels: labelsOf(pull),
          ignoreSpaceChange: mergeSettings(seen.repo.settings).ignoreWhitespaceConflicts,
        },
        via: "push",
        permit: (now) => this.permit(item, now),
      });
      if (outcome.kind === "conflict") throw new Conflict("pull.undecided");
    } finally {
      release();
    }
    await pushes.announce(item.issue.id, seen.principal);
  }

  private async isPartOf(seen: SeenRepo, base: Oid, tip: Oid): Promise<boolean> {
    const { history, storage } = this.parts;
    if (storage.objects(seen.repo.id).header(base)?.type !== "commit") return false;
    return base === tip || (await history.isAncestor(seen, base, tip));
  }

  private permit(item: SeenPull, head: SeenRepo): void {
    if (!item.pull.isOpen) throw new NotFound();
    if (head.repo.isArchived) throw new Locked("repository.archived");
    if (!this.parts.updates.mayWrite(item, head, false)) throw new Forbidden("pull.may-not-update");
  }

  private headOf(item: SeenPull): SeenRepo | undefined {
    return item.pull.isAgit || !item.pull.isOpen ? undefined : headRepoOf(this.parts.repos, item);
  }
}

function labelsOf({ baseBranch, headBranch }: SeenPull["pull"]): ConflictLabels {
  return { ours: headBranch, theirs: baseBranch };
}

/** @throws ValidationFailed if a marker was left in a text */
function requireNoMarkers(resolutions: readonly Resolution[], labels: ConflictLabels): void {
  const { start, end } = markersOf(labels);
  for (const resolution of resolutions) {
    if (resolution.kind !== "text") continue;
    const lines = new Set(resolution.text.split(/\r?\n/));
    if (lines.has(start) || lines.has(end))
      throw new ValidationFailed("pull.markers-left", { field: "content", params: { path: resolution.path } });
  }
}
